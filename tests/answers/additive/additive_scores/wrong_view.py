# expect: additive_scores raised
"""Numbers that lie apart in memory cannot be counted off anew."""

import torch


def additive_scores(queries, keys, ws):
    *batch, n_q, d = queries.shape
    queries, keys = queries.view(-1, n_q, 1, d), keys.view(-1, 1, keys.shape[-2], d)
    return (torch.tanh(queries + keys) @ ws).unflatten(0, batch) if batch else (torch.tanh(queries + keys) @ ws)[0]
