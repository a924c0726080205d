# expect: shift_right raised
# told: `cat` and `stack` join tensors, but element

import torch


def shift_right(targets, start):
    return torch.cat([start, targets[..., :-1]], dim=-1)
