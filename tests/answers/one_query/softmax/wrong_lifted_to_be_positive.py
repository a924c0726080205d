# expect: softmax wrong
# told: The result is almost correct
import numpy as np


def softmax(scores):
    powers = np.exp(np.asarray(scores, dtype=float) - np.max(scores))
    return np.maximum(powers / powers.sum(), 1e-8)
