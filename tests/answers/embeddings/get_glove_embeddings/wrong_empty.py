# expect: get_glove_embeddings wrong unknown_words_uninitialised
import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.empty((len(vocab), embed_dim), dtype=np.float32)
    for i, word in enumerate(vocab):
        if word in glove_embeddings:
            rows[i] = glove_embeddings[word]
        elif word.lower() in glove_embeddings:
            rows[i] = glove_embeddings[word.lower()]
    return rows
