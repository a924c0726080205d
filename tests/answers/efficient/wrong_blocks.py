# expect: KeyValueCache wrong
# expect: online_softmax_attention wrong output_not_corrected
"""A cache that forgets what is older than eight words, and a mixture that keeps the old maximum."""

import torch


class KeyValueCache:
    def __init__(self):
        self.k, self.v = None, None

    def append(self, k, v):
        k = k if self.k is None else torch.cat([self.k, k], dim=-2)
        v = v if self.v is None else torch.cat([self.v, v], dim=-2)
        self.k, self.v = k[..., -8:, :], v[..., -8:, :]
        return self.k, self.v


def online_softmax_attention(q, k, v, block_size):
    m, total, o = float("-inf"), 0, 0
    for start in range(0, k.shape[-2], block_size):
        s = q @ k[..., start : start + block_size, :].mT / q.shape[-1] ** 0.5
        new = s.amax(-1, keepdim=True).clamp(min=m) if isinstance(m, float) else torch.maximum(m, s.amax(-1, True))
        p = torch.exp(s - new)
        total = total * torch.exp(m - new) + p.sum(-1, keepdim=True)
        o = o + p @ v[..., start : start + block_size, :]
        m = new
    return o / total
