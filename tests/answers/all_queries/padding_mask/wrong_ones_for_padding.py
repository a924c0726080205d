# expect: padding_mask wrong ones_where_hidden
import numpy as np


def padding_mask(lengths, max_length):
    mask = np.ones((len(lengths), 1, max_length))
    for row, length in zip(mask, lengths, strict=True):
        row[0, :length] = 0
    return mask
