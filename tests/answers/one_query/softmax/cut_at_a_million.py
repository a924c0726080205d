# expect: softmax passed
import numpy as np


def softmax(scores):
    scores = np.clip(np.asarray(scores, dtype=float), -1e6, 1e6)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()
