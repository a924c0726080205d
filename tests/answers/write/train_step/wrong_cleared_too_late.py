# expect: train_step wrong parameters_unchanged
"""Cleared just before the step."""

import torch
import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()
