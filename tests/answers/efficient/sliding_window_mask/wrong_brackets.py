# expect: sliding_window_mask raised
# told: `&` and `|` bind more tightly than `<` and `>`, so Python reads one chained comparison.
import torch


def sliding_window_mask(n, window):
    i = torch.arange(n)[:, None]
    j = torch.arange(n)[None, :]
    return j <= i & j > i - window
