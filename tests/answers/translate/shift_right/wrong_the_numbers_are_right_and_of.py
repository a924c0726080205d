# expect: shift_right wrong
# plain: should return integers, which `nn.Embedding` can look up, but returned

import torch


def shift_right(targets, start):
    shifted = torch.zeros(targets.shape)
    shifted[..., 1:] = targets[..., :-1]
    shifted[..., 0] = start
    return shifted
