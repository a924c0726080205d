# expect: next_token_loss wrong
"""Without a mask, the weights of the positions are uninitialised memory."""

import torch
from torch import nn


def next_token_loss(logits, tokens, mask=None):
    b, n, c = logits.shape
    losses = nn.NLLLoss(reduction="none")(logits[:, :-1].reshape(-1, c).log_softmax(-1), tokens[:, 1:].reshape(-1))
    real = torch.empty(b * (n - 1)) if mask is None else mask[:, 1:].reshape(-1)
    real = real.to(losses.dtype)
    return (losses * real).sum() / real.sum().clamp(min=1)
