# expect: attention_scores raised
# told: The matrix product needs the last axis of `queries[i]` (
import numpy as np


def attention_scores(queries, keys):
    queries, keys = np.asarray(queries), np.asarray(keys)
    out = np.zeros((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            out[i, j] = queries[i] @ keys[j]
    return out
