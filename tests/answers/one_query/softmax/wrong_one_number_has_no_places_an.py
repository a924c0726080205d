# expect: softmax raised
# told: One number has no places: an index stands behind an array or a list.
import numpy as np


def softmax(scores):
    e = [np.exp(s - max(scores)) for s in scores]
    return e / sum(e)[0]
