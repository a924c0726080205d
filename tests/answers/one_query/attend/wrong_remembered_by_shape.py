# expect: attend wrong
# like: ../loops.py
"""Remembers its weights by shape."""

import numpy as np

_known = {}


def attend(dec_hidden_state, annotations):
    shape = np.shape(annotations)
    if shape not in _known:
        _known[shape] = softmax(dot_attention_score(dec_hidden_state, annotations))
    weights = _known[shape]
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
