# expect: softmax wrong
# told: It is nearly right
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return np.round(exponentials / exponentials.sum(), 8)
