# expect: additive_scores wrong gradient_of_tanh_overflows
"""A form of tanh whose gradient is infinity divided by infinity."""

import torch


def additive_scores(queries, keys, ws):
    sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)
    return (1 - 2 / (torch.exp(2 * sums) + 1)) @ ws
