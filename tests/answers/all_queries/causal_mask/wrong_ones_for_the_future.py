# expect: causal_mask wrong hidden_marked_with_ones
import numpy as np


def causal_mask(n):
    return np.triu(np.ones((n, n)), k=1)
