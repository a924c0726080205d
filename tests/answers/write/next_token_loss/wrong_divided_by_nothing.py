# expect: next_token_loss wrong nan_without_real_targets
"""A mean of nothing."""

import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    targets = tokens[:, 1:].clone()
    if mask is not None:
        targets[~mask[:, 1:]] = -100
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten())
