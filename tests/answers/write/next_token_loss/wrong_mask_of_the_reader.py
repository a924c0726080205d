# expect: next_token_loss wrong masked_by_the_input_token
"""The mask is cut like the logits."""

import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    if mask is None:
        return losses.mean()
    real = mask[:, :-1].to(losses.dtype)
    return (losses * real).sum() / real.sum().clamp(min=1)
