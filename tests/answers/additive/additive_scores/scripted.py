# expect: additive_scores passed
"""TorchScript reads the source of what it compiles."""

import torch


@torch.jit.script
def additive_scores(queries, keys, ws):
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws
