# expect: all passed
"""Running logarithms of sums; masks by logarithms; blocks merged from right to left."""

import torch
from torch import nn
from torch.nn import functional


class KeyValueCache:
    def __init__(self):
        self.parts = {}

    def append(self, k, v):
        for name, new in (("k", k), ("v", v)):
            self.parts[name] = torch.cat([self.parts.get(name, new[..., :0, :]), new], dim=-2)
        return self.parts["k"], self.parts["v"]


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.sizes = (num_kv_heads, num_heads // num_kv_heads, d_model // num_heads)
        self.Wq, self.Wk, self.Wv, self.Wo = (
            nn.Linear(d_model, width)
            for width in (d_model, d_model * num_kv_heads // num_heads, d_model * num_kv_heads // num_heads, d_model)
        )

    def forward(self, queries, keys, values, mask=None):
        g, r, d = self.sizes
        q = self.Wq(queries).reshape(*queries.shape[:-1], g, r, d).movedim(-4, -2)  # (..., g, r, n_q, d)
        k = self.Wk(keys).reshape(*keys.shape[:-1], g, 1, d).movedim(-4, -2)
        v = self.Wv(values).reshape(*values.shape[:-1], g, 1, d).movedim(-4, -2)
        scores = ((q @ k.mT) * d**-0.5).flatten(-4, -3)
        if mask is not None:
            scores = scores + torch.log(mask.to(scores.dtype))
        weights = torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
        mixed = weights.unflatten(-3, (g, r)) @ v
        return self.Wo(mixed.movedim(-2, -4).flatten(-3)), weights


def sliding_window_mask(n, window):
    rows, columns = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
    return torch.logical_and(columns <= rows, columns > rows - window)


def online_softmax_attention(q, k, v, block_size):
    if k.shape[-2] <= block_size:
        return _part(q, k, v)[0]
    output, logsum = _part(q, k[..., -1:, :], v[..., -1:, :])
    stop = k.shape[-2] - 1
    while stop > 0:
        start = max(0, stop - block_size)
        part, logs = _part(q, k[..., start:stop, :], v[..., start:stop, :])
        share = torch.sigmoid(logsum - logs)
        output = share * output + (1 - share) * part
        logsum = torch.logaddexp(logsum, logs)
        stop = start
    return output


def _part(q, k, v):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    logs = scores.logsumexp(-1, keepdim=True)
    return torch.exp(scores - logs) @ v, logs


def linear_attention(queries, keys, values, state=None):
    # Keys cumulate one column at a time: the state of column c is (..., n, d_v).
    q, k = (torch.where(x > 0, x + 1, torch.exp(torch.clamp(x, max=0))) for x in (queries, keys))
    S0, z0 = (None, None) if state is None else state
    above, z = 0, k.cumsum(-2)
    if z0 is not None:
        z = z + z0.unsqueeze(-2)
    last = []
    for c in range(k.shape[-1]):
        S = (k[..., c : c + 1] * values).cumsum(-2)
        if S0 is not None:
            S = S + S0[..., c : c + 1, :]
        above = above + q[..., c : c + 1] * S
        last.append(S[..., -1, :])
    return above / (q * z).sum(-1, keepdim=True), (torch.stack(last, -2), z[..., -1, :])
