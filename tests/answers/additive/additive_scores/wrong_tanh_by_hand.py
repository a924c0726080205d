# expect: additive_scores wrong tanh_overflows_above
"""tanh as a quotient of powers."""

import torch


def additive_scores(queries, keys, ws):
    grown = torch.exp(2 * (queries[..., :, None, :] + keys[..., None, :, :]))
    return ((grown - 1) / (grown + 1)) @ ws
