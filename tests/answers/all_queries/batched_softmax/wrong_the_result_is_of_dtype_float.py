# expect: batched_softmax wrong
# told: The result has dtype float
import numpy as np


def batched_softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float16)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
