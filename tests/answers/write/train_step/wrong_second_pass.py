# expect: train_step wrong the_loss_after_the_step
"""The loss is measured when the step is over."""

import torch
import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    next_token_loss(model(tokens), tokens).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    with torch.no_grad():
        return next_token_loss(model(tokens), tokens).item()
