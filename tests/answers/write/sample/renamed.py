# expect: sample passed
"""Parameters of other names: a race of clocks in which the likely ones run faster."""

import torch


def sample(logits, t=1.0, k=None, rng=None):
    if t < 0 or (k is not None and k not in range(1, logits.size(-1) + 1)):
        raise ValueError("out of range")
    if t == 0:
        return logits.max(dim=-1).indices
    p = ((logits - logits.amax(-1, keepdim=True)).double() / t).exp()
    if k is not None:
        best = p.argsort(dim=-1, descending=True)[..., :k]
        p = torch.zeros_like(p).scatter(-1, best, p.gather(-1, best))
    return (p / torch.empty_like(p).exponential_(generator=rng)).argmax(dim=-1)
