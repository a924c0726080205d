# expect: sample wrong always_the_largest
"""Softmax, and then the largest after all."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    return torch.softmax(logits / max(temperature, 1e-9), dim=-1).argmax(dim=-1)
