# expect: train_step wrong
# told: Your code changes its argument `tokens`.
# like: ../loops.py
"""Changes the tokens."""

import torch
from torch import nn


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train(True)
    optimizer.zero_grad(set_to_none=False)
    tokens.clamp_(max=3)
    logits = model(tokens)
    loss = next_token_loss(logits, tokens)
    value = loss.detach().item()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()
    return value
