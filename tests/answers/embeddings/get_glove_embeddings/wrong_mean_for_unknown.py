# expect: get_glove_embeddings wrong unknown_words_are_the_mean
"""GloVe's own advice for words that are not there."""

import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    average = np.mean([np.asarray(v, dtype=np.float32) for v in glove_embeddings.values()], axis=0)
    rows = np.empty((len(vocab), embed_dim), np.float32)
    for i, w in enumerate(vocab):
        rows[i] = glove_embeddings.get(w, glove_embeddings.get(w.lower(), average))
    return rows
