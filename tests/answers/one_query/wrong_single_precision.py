# expect: softmax wrong scores_in_float32
# expect: attend wrong
"""Single precision on the way to the weights: the scores lose what tells them apart."""

import numpy as np


def softmax(scores):
    scores = np.array(scores, dtype="float32")
    powers = np.exp(scores - np.max(scores))
    return powers / np.sum(powers)


def attend(dec_hidden_state, annotations):
    state, annotations = np.float32(dec_hidden_state), np.float32(annotations)
    weights = softmax(state @ annotations)
    return annotations @ weights, weights
