# expect: next_token_loss wrong input_token_as_target_from_the_second_on
"""Every loss is worked out, and the first of each text left out."""

import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    losses = F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")[:, 1:]
    if mask is None:
        return losses.mean()
    real = mask[:, 1:].to(losses.dtype)
    return (losses * real).sum() / real.sum().clamp(min=1)
