# expect: sample wrong softmax_before_top_k
"""Probabilities are cut, and made probabilities again."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    if temperature == 0:
        return logits.argmax(-1)
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        p = p.masked_fill(p < p.topk(top_k).values[..., -1:], -torch.inf)
    p = torch.softmax(p, dim=-1)
    return torch.multinomial(p.reshape(-1, p.shape[-1]), 1, generator=generator).reshape(logits.shape[:-1])
