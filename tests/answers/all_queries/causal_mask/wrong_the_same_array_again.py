# expect: causal_mask wrong
# told: Create a new result in each call
import functools

import numpy as np


@functools.lru_cache
def causal_mask(n):
    return np.tril(np.ones((n, n), dtype=bool))
