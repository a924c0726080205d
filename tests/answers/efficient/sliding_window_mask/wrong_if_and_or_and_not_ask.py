# expect: sliding_window_mask raised
# told: `if`, `and`, `or` and `not` ask for one truth value, and here are many: ask `is not No

import torch


def sliding_window_mask(n, window):
    i = torch.arange(n)
    back = i[:, None] - i
    return (back >= 0) and (back < window)
