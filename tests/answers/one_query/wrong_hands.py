# expect: dot_attention_score wrong changes_its_input
# expect: softmax wrong largest_absolute_value_subtracted
# expect: calculate_attention_vector wrong changes_its_input
# expect: attend wrong context_is_the_best_annotation
"""Results that are right while what was handed in is not any more, and two that are nearly right."""

import numpy as np


def dot_attention_score(dec_hidden_state, annotations):
    annotations = np.asarray(annotations, dtype=float)
    for row, unit in zip(annotations, dec_hidden_state, strict=True):
        row *= unit
    return annotations.sum(axis=0)


def softmax(scores):
    powers = np.exp(np.asarray(scores, dtype=float) - max(map(abs, scores)))
    return powers / powers.sum()


def calculate_attention_vector(applied_attention):
    applied = np.asarray(applied_attention, dtype=float)
    total = applied[:, 0]
    for t in range(1, applied.shape[1]):
        total += applied[:, t]
    return total


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations, dtype=float)
    scores = dec_hidden_state @ annotations
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum()
    return annotations.T[np.argmax(weights)], weights
