# expect: cross_attention wrong
# told: The result `context` is the expected one divided by
import math

import torch


def cross_attention(queries, keys, values):
    scores = (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) / math.sqrt(keys.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    context = (weights.unsqueeze(-1) * values.unsqueeze(-3)).mean(-2)
    return context, weights
