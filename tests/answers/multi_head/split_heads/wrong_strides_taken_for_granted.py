# expect: split_heads wrong
# plain: (not contiguous in memory, as after a transpose)
"""Goes through memory as if the numbers lay side by side."""

import torch


def split_heads(x, num_heads):
    n, d = x.shape[-2:]
    if d % num_heads:
        raise ValueError("the heads do not divide the width")
    strides = torch.empty(x.shape).stride()
    width = d // num_heads
    return x.as_strided((*x.shape[:-2], num_heads, n, width), (*strides[:-2], width, d, 1))
