# expect: get_glove_embeddings wrong ones_and_never_lower_cased

import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.zeros((len(vocab), embed_dim), dtype=np.float32)
    for i, word in enumerate(vocab):
        rows[i] = glove_embeddings.get(word, np.full(embed_dim, 1))
    return rows
