# expect: sample passed
"""Parameters of other names."""

import torch


def sample(scores, t=1.0, k=None, source=None):
    if t < 0 or (k is not None and not 1 <= k <= scores.shape[-1]):
        raise ValueError("out of range")
    if t == 0:
        return scores.argmax(-1)
    if k is not None:
        scores = scores.masked_fill(scores < scores.topk(k).values[..., -1:], -torch.inf)
    p = torch.softmax(scores / t, dim=-1)
    return torch.multinomial(p.reshape(-1, p.shape[-1]), 1, generator=source).reshape(scores.shape[:-1])
