# expect: next_token_loss wrong epsilon_in_the_logarithm
"""No probability is below a billionth."""

import torch


def next_token_loss(logits, tokens, mask=None):
    p = logits[:, :-1].softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
    losses = -p.clamp(min=1e-9).log()
    real = torch.ones_like(losses) if mask is None else mask[:, 1:].to(losses.dtype)
    return (losses * real).sum() / real.sum().clamp(min=1)
