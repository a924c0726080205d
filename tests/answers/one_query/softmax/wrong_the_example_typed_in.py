# expect: softmax wrong
# told: `softmax` never reads its argument `scores`
"""The figures of the example, whatever comes in."""

import numpy as np


def softmax(scores):
    return np.array([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])
