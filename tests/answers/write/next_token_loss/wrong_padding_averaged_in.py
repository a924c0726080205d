# expect: next_token_loss wrong averaged_over_padding
"""Losses of padding are zeroed, and still counted."""

import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    if mask is not None:
        losses = losses * mask[:, 1:]
    return losses.mean()
