# expect: next_token_loss raised losses_over_the_positions
"""`cross_entropy` of (b, n, c)."""

import torch
from torch.nn import functional


def next_token_loss(logits, tokens, mask=None):
    losses = functional.cross_entropy(logits[:, :-1], tokens[:, 1:], reduction="none")
    if mask is None:
        return losses.mean()
    real = mask[:, 1:]
    return losses[real].sum() / real.sum().clamp(min=1)
