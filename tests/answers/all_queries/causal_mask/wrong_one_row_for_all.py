# expect: causal_mask wrong mask_all_true
# plain: Everything is `True`
import numpy as np


def causal_mask(n):
    mask = [[False] * n] * n
    for query in range(n):
        for key in range(query + 1):
            mask[query][key] = True
    return np.array(mask)
