# expect: next_token_loss wrong token_zero_left_out
"""Token 0 is taken for padding."""

import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    targets = tokens[:, 1:] if mask is None else tokens[:, 1:] * mask[:, 1:]
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten(), ignore_index=0)
