# expect: train_step wrong last_token_cut_and_targets_shifted
"""Inputs and targets cut by hand, and then by the loss."""

import torch
from torch.nn import functional


def next_token_loss(logits, tokens, mask=None):
    losses = functional.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    if mask is None:
        return losses.mean()
    real = mask[:, 1:]
    return torch.where(real, losses, 0.0).sum() / real.sum().clamp(min=1)


def train_step(model, optimizer, tokens, max_norm=1.0):
    x, y = tokens[:, :-1], tokens[:, 1:]
    model.train()
    optimizer.zero_grad(set_to_none=True)
    loss = next_token_loss(model(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
