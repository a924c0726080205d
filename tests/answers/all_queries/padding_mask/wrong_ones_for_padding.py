# expect: padding_mask wrong hidden_marked_with_ones
import numpy as np


def padding_mask(lengths, max_length):
    mask = np.ones((len(lengths), 1, max_length))
    for row, length in zip(mask, lengths, strict=True):
        row[0, :length] = 0
    return mask
