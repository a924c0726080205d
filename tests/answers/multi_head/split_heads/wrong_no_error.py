# expect: split_heads wrong
# told: Every result that is asked for is right; only an error that should be raised is missing.
"""No error where the width cannot be shared."""

import torch


def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, -1), -3)
