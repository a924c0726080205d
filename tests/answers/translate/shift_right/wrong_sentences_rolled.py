# expect: shift_right wrong sentences_rolled
import torch


def shift_right(targets, start):
    shifted = torch.roll(targets, shifts=1, dims=0)
    shifted[..., 0] = start
    return shifted
