# expect: softmax raised
# told: You index a single number.
import numpy as np


def softmax(scores):
    e = [np.exp(s - max(scores)) for s in scores]
    return e / sum(e)[0]
