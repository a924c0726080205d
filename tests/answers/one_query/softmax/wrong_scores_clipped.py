# expect: softmax wrong
import numpy as np


def softmax(scores):
    exponentials = np.exp(np.clip(np.array(scores, dtype=float), -50, 50))
    return exponentials / exponentials.sum()
