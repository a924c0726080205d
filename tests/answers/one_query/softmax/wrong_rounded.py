# expect: softmax wrong
# told: It is right to five digits and not to all
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return np.round(exponentials / exponentials.sum(), 8)
