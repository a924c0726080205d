# expect: sample wrong
"""After the cut the chances do not sum to 1, and the rest goes to the last token."""

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError("out of range")
    if temperature == 0:
        return logits.argmax(-1)
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        p = p.masked_fill(logits < logits.topk(top_k).values[..., -1:], 0.0)
    u = torch.rand(logits.shape[:-1], generator=generator, dtype=p.dtype)[..., None]
    return (p.cumsum(dim=-1) < u).sum(dim=-1).clamp(max=logits.shape[-1] - 1)
