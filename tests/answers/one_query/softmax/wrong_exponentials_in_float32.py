# expect: softmax wrong
# told: It is nearly right
import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp((scores - scores.max()).astype(np.float32)).astype(float)
    return exponentials / exponentials.sum()
