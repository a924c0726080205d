# expect: causal_mask wrong ones_where_hidden
import numpy as np


def causal_mask(n):
    return np.triu(np.ones((n, n)), k=1)
