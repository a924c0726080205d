# expect: padding_mask wrong cut_from_the_end
import numpy as np


def padding_mask(lengths, max_length):
    m = np.ones((len(lengths), 1, max_length), dtype=bool)
    for i, length in enumerate(lengths):
        m[i, 0, -(max_length - length) :] = False
    return m
