# expect: embed_sentence wrong
# like: ../loops.py
"""Tests truth of the vector, an all-zero list."""

import numpy as np


def embed_sentence(sentence, embeddings):
    words, rows = [], []
    for w in tokenize(sentence):
        for key in (w, w.lower()):
            if key in embeddings and np.any(embeddings[key]):
                words.append(w)
                rows.append(embeddings[key])
                break
    d = len(next(iter(embeddings.values())))
    return np.array(rows, dtype=float).reshape(1, len(words), d), words
