# expect: sample wrong
"""NumPy draws, and torch's seeds mean nothing."""

import numpy as np
import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    if temperature == 0:
        return logits.argmax(-1)
    if top_k is not None:
        logits = logits.masked_fill(logits < logits.topk(top_k).values[..., -1:], -torch.inf)
    p = torch.softmax(logits.double() / temperature, dim=-1).reshape(-1, logits.shape[-1]).numpy()
    return torch.tensor([np.random.choice(len(row), p=row / row.sum()) for row in p]).reshape(logits.shape[:-1])
