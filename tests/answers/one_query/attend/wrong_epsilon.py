# expect: attend wrong
# told: The weights sum to nearly 1, but not exactly
import numpy as np


def attend(dec_hidden_state, annotations):
    annotations = np.asarray(annotations, dtype=float)
    scores = dec_hidden_state @ annotations
    powers = np.exp(scores - scores.max())
    weights = powers / (powers.sum() + 1e-9)
    return annotations @ weights, weights
