# expect: linear_attention wrong
import torch
from torch.nn import functional


def linear_attention(queries, keys, values, state=None):
    q, k = functional.elu(queries) + 1, functional.elu(keys) + 1
    n = q.shape[-2]
    size = 16 if n >= 16 else 1
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], values.shape[-1]) if state is None else state[0]
    z = k.new_zeros(*k.shape[:-2], k.shape[-1]) if state is None else state[1]
    output = torch.zeros_like(values)
    for chunk in range(n // size):
        part = slice(chunk * size, (chunk + 1) * size)
        Q, K, V = q[..., part, :], k[..., part, :], values[..., part, :]
        inside = torch.tril(Q @ K.mT)
        below = (Q * (z.unsqueeze(-2) + K.cumsum(-2))).sum(-1, keepdim=True)
        output[..., part, :] = (Q @ S + inside @ V) / below
        S, z = S + K.mT @ V, z + K.sum(-2)
    return output, (S, z)
