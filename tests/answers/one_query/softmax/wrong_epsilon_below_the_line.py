# expect: softmax wrong
# told: The result is almost correct
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return exponentials / (exponentials.sum() + 1e-6)
