# expect: sample wrong
"""The noise of one row for all."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and (top_k < 1 or top_k > logits.size(-1))):
        raise ValueError("no such draw")
    if temperature == 0:
        return torch.argmax(logits, dim=-1)
    z = logits / temperature
    if top_k is not None:
        kth = z.topk(top_k, dim=-1)[0][..., -1, None]
        z = z.masked_fill(z < kth, -torch.inf)
    noise = torch.empty(z.shape[-1], dtype=z.dtype).exponential_(generator=generator)
    return (z - noise.log()).argmax(dim=-1)
