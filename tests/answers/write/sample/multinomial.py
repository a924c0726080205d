# expect: sample passed
"""A cut, softmax and torch's draw."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    if temperature == 0:
        return logits.argmax(-1)
    if top_k is not None:
        logits = logits.masked_fill(logits < logits.topk(top_k).values[..., -1:], -torch.inf)
    p = torch.softmax(logits / temperature, dim=-1)
    return torch.multinomial(p.reshape(-1, p.shape[-1]), 1, generator=generator).reshape(logits.shape[:-1])
