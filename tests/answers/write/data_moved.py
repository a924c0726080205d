# expect: all passed
""".data and .grad.data, NumPy for what needs no gradient, no torch.nn.utils."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.numpy()[:, None] / base ** (np.arange(0, d, 2) / d)
    table = np.zeros((len(angle), d, d))
    for i in range(d // 2):
        table[:, 2 * i, 2 * i] = table[:, 2 * i + 1, 2 * i + 1] = np.cos(angle[:, i])
        table[:, 2 * i + 1, 2 * i] = np.sin(angle[:, i])
        table[:, 2 * i, 2 * i + 1] = -np.sin(angle[:, i])
    return (torch.from_numpy(table).to(x.dtype) @ x.unsqueeze(-1)).squeeze(-1)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)
        for name in "qkvo":
            linear = nn.Linear(d_model, d_model)
            linear.weight.data = torch.from_numpy(np.random.randn(d_model, d_model)).float() / d_model**0.5
            linear.bias.data.zero_()
            setattr(self, "W" + name, linear)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask=None, cache=None, start=0):
        y = self.norm1(x)
        q, k, v = (
            w(y).reshape(*y.shape[:-1], self.num_heads, self.d_h).transpose(-2, -3) for w in (self.Wq, self.Wk, self.Wv)
        )
        places = torch.arange(x.shape[-2]).add(start)
        q, k = rotate(q, places), rotate(k, places)
        if cache is not None:
            k, v = cache.append(k, v)
        scores = q @ k.transpose(-2, -1) / float(np.sqrt(self.d_h))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float(np.finfo(np.float32).min))
        weights = self.dropout(F.softmax(scores, dim=-1))
        mixed = (weights @ v).transpose(-2, -3)
        x = x + self.dropout(self.Wo(mixed.reshape(*x.shape)))
        return x + self.dropout(self.down(F.gelu(self.up(self.norm2(x)), approximate="none"))), weights.data


def next_token_loss(logits, tokens, mask=None):
    logits = logits[:, :-1]
    top = logits.data.max(-1, keepdim=True).values
    logs = (logits - top).exp().sum(-1).log() + top.squeeze(-1)
    losses = logs - torch.take_along_dim(logits, tokens[:, 1:, None], -1).squeeze(-1)
    if mask is None:
        mask = torch.ones_like(tokens, dtype=torch.bool)
    count = int(mask[:, 1:].sum())
    return (losses * mask[:, 1:]).sum() / max(1, count)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    parameters = [p for p in model.parameters() if p.grad is not None]
    norm = np.sqrt(sum(np.square(p.grad.data.numpy().astype(float)).sum() for p in parameters))
    for p in parameters:
        p.grad.data.mul_(min(1.0, max_norm / norm) if norm else 1.0)
    optimizer.step()
    return loss.data.item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and (top_k <= 0 or top_k > logits.shape[-1])):
        raise ValueError("out of range")
    if temperature == 0:
        return torch.from_numpy(np.asarray(logits.detach().numpy().argmax(-1)))
    scores = logits.detach().double()
    if top_k is not None:
        kept = torch.zeros_like(scores, dtype=torch.bool).scatter_(-1, scores.topk(top_k, dim=-1).indices, True)
        scores = scores.where(kept, torch.tensor(-torch.inf, dtype=scores.dtype))
    u = torch.rand(scores.shape, generator=generator, dtype=torch.float64)
    return torch.argmax(scores / temperature - torch.log(-torch.log(u.clamp(1e-300, 1 - 1e-16))), dim=-1)
