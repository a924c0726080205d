# expect: batched_softmax wrong
# told: The result is almost correct
import numpy as np


def batched_softmax(x, axis=-1):
    exponentials = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exponentials / (exponentials.sum(axis=axis, keepdims=True) + 1e-6)
