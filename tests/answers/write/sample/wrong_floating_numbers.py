# expect: sample wrong
"""Float result."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.shape[-1]
    if temperature < 0:
        raise ValueError("temperature")
    k = c if top_k is None else top_k
    if not (0 < k <= c):
        raise ValueError("top_k")
    if temperature == 0:
        k, temperature = 1, 1.0
    best = logits.topk(k, dim=-1)
    p = torch.softmax(best.values / temperature, dim=-1)
    choice = torch.multinomial(p.reshape(-1, k), 1, generator=generator).reshape(*logits.shape[:-1], 1)
    return best.indices.gather(-1, choice).squeeze(-1).float()
