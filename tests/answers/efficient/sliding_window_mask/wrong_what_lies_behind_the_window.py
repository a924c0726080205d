# expect: sliding_window_mask wrong what_comes_after_the_window
import torch


def sliding_window_mask(n, window):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=window)
