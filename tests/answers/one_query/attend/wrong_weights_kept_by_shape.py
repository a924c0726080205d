# expect: attend wrong
# told: This call is correct when it runs first, but earlier calls change its result.

import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max())
    return e / e.sum()


def dot_attention_score(dec_hidden_state, annotations):
    return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)


_cache = {}


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations, dtype=float)
    key = annotations.shape
    if key not in _cache:
        _cache[key] = softmax(dot_attention_score(dec_hidden_state, annotations))
    weights = _cache[key]
    return annotations @ weights, weights
