# expect: additive_scores wrong
# plain: returned float32 numbers for float64 input
"""The table is made without a dtype."""

import torch


def additive_scores(queries, keys, ws):
    table = torch.zeros(*queries.shape[:-1], keys.shape[-2])
    for i in range(queries.shape[-2]):
        table[..., i, :] = torch.tanh(queries[..., i : i + 1, :] + keys) @ ws
    return table
