# expect: sliding_window_mask raised
# told: `&` and `|` bind before `<` and `>`, so this is one comparison in a chain
import torch


def sliding_window_mask(n, window):
    i = torch.arange(n)[:, None]
    j = torch.arange(n)[None, :]
    return j <= i & j > i - window
