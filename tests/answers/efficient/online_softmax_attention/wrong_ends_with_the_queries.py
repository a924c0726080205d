# expect: online_softmax_attention wrong blocks_end_with_the_queries
import math

import torch


def online_softmax_attention(q, k, v, block_size):
    n = q.shape[-2]
    q = q / math.sqrt(q.shape[-1])
    m = torch.full_like(q[..., :1], -math.inf)
    total = torch.zeros_like(m)
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for start in range(0, n, block_size):
        kb, vb = (x[..., start : start + block_size, :] for x in (k, v))
        if not kb.shape[-2]:
            break
        s = q @ kb.mT
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, c = torch.exp(s - new), torch.exp(m - new)
        total = c * total + p.sum(-1, keepdim=True)
        out = c * out + p @ vb
        m = new
    return out / total
