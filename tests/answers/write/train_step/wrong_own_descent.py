# expect: train_step wrong
"""Plain gradient descent, whatever the optimizer is."""

import torch
import torch.nn.functional as F


def next_token_loss(logits, tokens, mask=None):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    with torch.no_grad():
        for p in model.parameters():
            p -= optimizer.param_groups[0]["lr"] * p.grad
    return loss.item()
