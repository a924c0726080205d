# expect: sliding_window_mask wrong
# plain: returned False at [0, 0], expected True
import torch


def sliding_window_mask(n, window):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=window)
