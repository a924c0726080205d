# expect: next_token_loss wrong logarithm_of_an_overflow
"""One-hot targets times the logarithm of what softmax rounds to 0."""

import torch
import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    targets = F.one_hot(tokens[:, 1:], logits.shape[-1])
    losses = -(targets * logits[:, :-1].softmax(dim=-1).log()).sum(dim=-1)
    if mask is None:
        return losses.mean()
    real = mask[:, 1:]
    return losses[real].sum() / max(int(real.sum()), 1)
