# expect: all passed
"""Loops over sentences, queries and keys, with the pieces put together by stack or written into zeros."""

import torch
from torch import nn


def additive_scores(queries, keys, ws):
    if queries.dim() > 2:
        return torch.stack([additive_scores(q, k, ws) for q, k in zip(queries, keys, strict=True)])
    scores = torch.zeros(len(queries), len(keys), dtype=queries.dtype)
    for i in range(len(queries)):
        for j in range(len(keys)):
            scores[i, j] = torch.dot(ws, torch.tanh(queries[i] + keys[j]))
    return scores


class AdditiveAttention(nn.Module):
    def __init__(self, d_in=300, d_out=256):
        super().__init__()
        self.Wq, self.Wk, self.Ws = nn.Linear(d_in, d_out), nn.Linear(d_in, d_out), nn.Linear(d_out, 1)

    def forward(self, queries, keys, values):
        if queries.dim() > 2:
            pairs = [self.forward(*sentence) for sentence in zip(queries, keys, values, strict=True)]
            return torch.stack([output for output, _ in pairs]), torch.stack([weights for _, weights in pairs])
        outputs, rows = [], []
        for query in queries:
            scores = torch.cat([self.Ws(torch.tanh(self.Wq(query) + self.Wk(key))) for key in keys])
            row = scores.softmax(0)
            rows.append(row)
            outputs.append(sum(weight * value for weight, value in zip(row, values, strict=True)))
        return torch.stack(outputs), torch.stack(rows)
