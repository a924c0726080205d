# expect: split_heads wrong
# plain: expected it to raise ValueError
"""No error where the width cannot be shared."""

import torch


def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, -1), -3)
