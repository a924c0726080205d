# expect: get_glove_embeddings wrong
"""Empty vocabulary comes as (0,)."""

import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    zeros = np.zeros(embed_dim)
    rows = []
    for w in vocab:
        if w in glove_embeddings:
            rows.append(glove_embeddings[w])
        elif w.lower() in glove_embeddings:
            rows.append(glove_embeddings[w.lower()])
        else:
            rows.append(zeros)
    return np.array(rows, dtype=np.float32)
