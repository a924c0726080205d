# expect: cross_attention raised
# told: -dimensional, so it has no axis
import math

import torch


def cross_attention(queries, keys, values):
    scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(keys.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return torch.bmm(weights, values), weights
