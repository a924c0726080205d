# expect: sliding_window_mask wrong
# told: The result is nowhere True where it should be.
import torch


def sliding_window_mask(n, window):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=window)
