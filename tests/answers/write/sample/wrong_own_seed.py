# expect: sample wrong seed_set_in_every_call
"""A fresh generator in every call."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    if temperature == 0:
        return logits.argmax(-1)
    fresh = torch.Generator()
    fresh.manual_seed(generator.initial_seed() if generator is not None else 0)
    if top_k is not None:
        logits = logits.masked_fill(logits < logits.topk(top_k).values[..., -1:], -torch.inf)
    p = torch.softmax(logits / temperature, dim=-1)
    return torch.multinomial(p.reshape(-1, p.shape[-1]), 1, generator=fresh).reshape(logits.shape[:-1])
