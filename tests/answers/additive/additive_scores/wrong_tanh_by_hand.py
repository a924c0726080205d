# expect: additive_scores wrong
# plain: returned nan, expected finite numbers
"""tanh as a quotient of powers."""

import torch


def additive_scores(queries, keys, ws):
    grown = torch.exp(2 * (queries[..., :, None, :] + keys[..., None, :, :]))
    return ((grown - 1) / (grown + 1)) @ ws
