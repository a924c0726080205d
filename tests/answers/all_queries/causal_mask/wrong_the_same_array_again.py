# expect: causal_mask wrong
# told: Whoever works on one result must not change the next
import functools

import numpy as np


@functools.lru_cache
def causal_mask(n):
    return np.tril(np.ones((n, n), dtype=bool))
