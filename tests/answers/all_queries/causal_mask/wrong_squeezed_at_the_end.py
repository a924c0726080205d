# expect: causal_mask wrong
# told: The result lacks 2 axes of length 1.

import numpy as np


def causal_mask(n):
    i = np.arange(n)
    return np.squeeze(i[None, :] <= i[:, None])
