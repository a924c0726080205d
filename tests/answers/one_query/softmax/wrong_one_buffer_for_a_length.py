# expect: softmax wrong
"""One buffer for all calls of a length."""

import numpy as np

_buffers = {}


def softmax(scores):
    x = np.asarray(scores, dtype=float)
    out = _buffers.setdefault(len(x), np.empty(len(x)))
    np.exp(x - x.max(), out=out)
    out /= out.sum()
    return out
