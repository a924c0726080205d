# expect: softmax wrong no_exponential
# expect: attend wrong
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    return scores / scores.sum()


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations, dtype=float)
    weights = softmax(np.asarray(dec_hidden_state, dtype=float) @ annotations)
    return annotations @ weights, weights
