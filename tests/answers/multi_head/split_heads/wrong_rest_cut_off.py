# expect: split_heads wrong rest_dropped
import torch


def split_heads(x, num_heads):
    width = x.size(-1) // num_heads
    if width == 0:
        raise ValueError("too many heads")
    return torch.stack([x[..., i * width : (i + 1) * width] for i in range(num_heads)], dim=-3)
