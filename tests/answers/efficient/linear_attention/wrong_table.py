# expect: linear_attention wrong
"""The masked product."""

import torch
import torch.nn.functional as F


def linear_attention(queries, keys, values, state=None):
    q, k = F.elu(queries) + 1, F.elu(keys) + 1
    A = torch.tril(torch.einsum("...id,...jd->...ij", q, k))
    top, bottom = A @ values, A.sum(-1, keepdim=True)
    S, z = k.mT @ values, k.sum(-2)
    if state is not None:
        top, bottom = top + q @ state[0], bottom + (q * state[1][..., None, :]).sum(-1, keepdim=True)
        S, z = S + state[0], z + state[1]
    return top / bottom, (S, z)
