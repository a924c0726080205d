# expect: linear_attention passed
"""einsum, token by token; a list comes back for the state."""

import torch
import torch.nn.functional as F


def linear_attention(queries, keys, values, state=None):
    phi_q, phi_k = 1 + F.elu(queries), 1 + F.elu(keys)
    outs = []
    S, z = (None, None) if state is None else state
    for t in range(queries.shape[-2]):
        kt, vt, qt = phi_k[..., t, :], values[..., t, :], phi_q[..., t, :]
        kv = torch.einsum("...k,...v->...kv", kt, vt)
        S = kv if S is None else S + kv
        z = kt if z is None else z + kt
        outs.append(torch.einsum("...k,...kv->...v", qt, S) / torch.einsum("...k,...k->...", qt, z)[..., None])
    return torch.stack(outs, dim=-2), [S, z]
