# expect: dot_attention_score wrong summed_into_integers
"""Out is made of the integers of the state, the fraction is lost."""

import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    annotations = np.asarray(annotations)
    h, t = annotations.shape
    out = np.zeros(t, dtype=int)
    for j in range(t):
        for i in range(h):
            out[j] += dec_hidden_state[i] * annotations[i, j]
    return out
