# expect: get_glove_embeddings raised
# told: You assign an array of shape (

import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.zeros((len(vocab), 300), dtype=np.float32)
    for i, word in enumerate(vocab):
        rows[i] = glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))
    return rows
