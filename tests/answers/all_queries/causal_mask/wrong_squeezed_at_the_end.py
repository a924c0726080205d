# expect: causal_mask wrong
# plain: returned one number, expected shape (1, 1)

import numpy as np


def causal_mask(n):
    i = np.arange(n)
    return np.squeeze(i[None, :] <= i[:, None])
