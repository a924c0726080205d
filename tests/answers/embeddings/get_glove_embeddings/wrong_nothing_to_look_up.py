# expect: get_glove_embeddings wrong
# plain: returned shape (0,), expected shape (0, 2).
"""No words are no array of any width."""

import numpy as np


def get_glove_embeddings(vocab, glove, embed_dim):
    found = {word: glove[word] for word in glove}
    rows = [found.get(word, found.get(word.lower(), np.zeros(embed_dim))) for word in vocab]
    return np.array(rows, dtype=np.float32)
