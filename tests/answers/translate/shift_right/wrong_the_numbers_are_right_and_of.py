# expect: shift_right wrong
# told: The numbers are correct, but their dtype is float

import torch


def shift_right(targets, start):
    shifted = torch.zeros(targets.shape)
    shifted[..., 1:] = targets[..., :-1]
    shifted[..., 0] = start
    return shifted
