# expect: all wrong
"""Answers that remember: caches by shape, shared buffers, state from the last call, inputs that are written to."""

import functools

import numpy as np

_seen, _buffers, _state = {}, {}, {"calls": 0}


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    return _seen.setdefault(len(dec_hidden_state), np.dot(dec_hidden_state, enc_hidden_state))


def dot_attention_score(dec_hidden_state, annotations):
    out = _buffers.setdefault(("scores", np.shape(annotations)), np.zeros(np.shape(annotations)[1]))
    out[:] = np.asarray(dec_hidden_state) @ np.asarray(annotations)
    return out


def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    shares = scores / scores.sum()
    scores[0] = shares[0]  # writes to what may be the caller's array
    return shares


@functools.lru_cache
def _normalizer(size):
    return {}


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    cache = _normalizer(len(scores))
    exponentials = np.exp(scores - cache.setdefault("max", scores.max()))  # the first maximum of this length
    return exponentials / exponentials.sum()


def apply_attention_scores(attention_weights, annotations):
    out = _buffers.setdefault(("applied", np.shape(annotations)), np.zeros(np.shape(annotations)))
    return np.multiply(attention_weights, annotations, out=out)


def calculate_attention_vector(applied_attention):
    _state["calls"] += 1
    return np.sum(applied_attention, axis=1) * (1 if _state["calls"] < 3 else 2)


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations, dtype=float)
    scores = np.asarray(dec_hidden_state) @ annotations
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    annotations *= weights
    return annotations.sum(axis=1), weights
