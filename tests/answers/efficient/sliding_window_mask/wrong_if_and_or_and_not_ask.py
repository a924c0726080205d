# expect: sliding_window_mask raised
# told: `if`, `and`, `or` and `not` need a single truth value, but this array has many.

import torch


def sliding_window_mask(n, window):
    i = torch.arange(n)
    back = i[:, None] - i
    return (back >= 0) and (back < window)
