# expect: sliding_window_mask raised
# told: This `raise` is the answer's own, where `window > n` is true, and what is asked for here is a result
import torch


def sliding_window_mask(n, window):
    if window > n:
        raise ValueError("the window is larger than the text")
    i = torch.arange(n)
    back = i[:, None] - i
    return (back >= 0) & (back < window)
