# expect: sample wrong generator_ignored
"""Categorical knows no generator."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    if temperature == 0:
        return logits.argmax(-1)
    if top_k is not None:
        logits = logits.masked_fill(logits < logits.topk(top_k).values[..., -1:], -torch.inf)
    return torch.distributions.Categorical(logits=logits / temperature).sample()
