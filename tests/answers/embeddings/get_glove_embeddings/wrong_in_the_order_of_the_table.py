# expect: get_glove_embeddings wrong
# told: The result has the expected numbers in other positions.
"""It goes through the table, and not through the words."""

import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.zeros((len(vocab), embed_dim))
    for row, word in enumerate(glove_embeddings):
        rows[row] = glove_embeddings[word]
    return rows
