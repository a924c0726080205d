# expect: cross_attention wrong
# told: The result is almost correct
import math

import torch


def cross_attention(queries, keys, values):
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(scores.dtype)
    return weights @ values, weights
