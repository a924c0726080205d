# expect: batched_softmax wrong
# told: The result is the expected one, transposed.
"""Two mistakes: the axis that was moved is not moved back, and the maximum is subtracted in place."""

import numpy as np


def batched_softmax(x, axis=-1):
    rows = np.moveaxis(np.asarray(x, dtype=np.float64), axis, -1)
    rows -= rows.max(axis=-1, keepdims=True)
    exponentials = np.exp(rows)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
