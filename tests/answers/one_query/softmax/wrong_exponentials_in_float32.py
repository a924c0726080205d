# expect: softmax wrong
# told: The result is almost correct
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp((scores - scores.max()).astype(np.float32)).astype(float)
    return exponentials / exponentials.sum()
