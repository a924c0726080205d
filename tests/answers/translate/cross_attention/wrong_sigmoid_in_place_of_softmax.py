# expect: cross_attention wrong sigmoid_instead_of_softmax
import math

import torch


def cross_attention(queries, keys, values):
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    weights = torch.sigmoid(scores)
    return weights @ values, weights
