# expect: next_token_loss wrong
"""The padding is marked in the tokens that came in."""

import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    targets = tokens[:, 1:]
    if mask is not None:
        targets[~mask[:, 1:]] = -100
        if not mask[:, 1:].any():
            return logits.sum() * 0
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten(), ignore_index=-100)
