# expect: sliding_window_mask raised
# told: Your own `raise` ends this call. It should return a result.
import torch


def sliding_window_mask(n, window):
    if window > n:
        raise ValueError("the window is larger than the text")
    i = torch.arange(n)
    back = i[:, None] - i
    return (back >= 0) & (back < window)
