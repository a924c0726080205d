# expect: all passed
"""Heads and rows stream through generators; the loss is a sum over pairs; the norm by foreach."""

import math

import torch
from torch import nn
from torch.nn import functional


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        linear = (nn.Linear(d_model, d_model) for _ in range(4))
        self.Wq, self.Wk, self.Wv, self.Wo = linear
        self.norm1, self.norm2 = (nn.LayerNorm(d_model) for _ in "12")
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)

    def heads(self, x, start):
        width = x.shape[-1] // self.num_heads
        places = torch.arange(x.shape[-2]) + start
        for q, k, v in zip(*(w(x).split(width, -1) for w in (self.Wq, self.Wk, self.Wv))):
            yield rotate(q, places), rotate(k, places), v

    def forward(self, x, mask=None, cache=None, start=0):
        q, k, v = (torch.stack(part, dim=-3) for part in zip(*self.heads(self.norm1(x), start)))
        if cache is not None:
            k, v = cache.append(k, v)
        scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores + torch.log(mask.to(scores.dtype))
        weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
        mixed = torch.cat([*(weights @ v).unbind(-3)], -1)
        x = x + self.Wo(mixed)
        hidden = self.up(self.norm2(x))
        return x + self.down(hidden * 0.5 * (1 + torch.erf(hidden / math.sqrt(2)))), weights


def pairs(logits, tokens, mask):
    for row in range(tokens.shape[0]):
        for p in range(tokens.shape[1] - 1):
            if mask is None or mask[row, p + 1]:
                scores = logits[row, p]
                yield torch.logsumexp(scores, 0) - scores[tokens[row, p + 1]]


def next_token_loss(logits, tokens, mask=None):
    found = list(pairs(logits, tokens, mask))
    return torch.stack(found).mean() if found else logits.sum() * 0


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.stack([g.norm() for g in gradients]).norm()
    torch._foreach_mul_(gradients, torch.clamp(max_norm / (norm + 1e-6), max=1.0).item())
    optimizer.step()
    return loss.detach().item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.size(-1)
    if not temperature >= 0:
        raise ValueError(f"temperature {temperature}")
    if top_k is None:
        top_k = c
    if not 0 < top_k <= c:
        raise ValueError(f"top_k {top_k}")
    if temperature == 0:
        return logits.max(-1).indices

    def draws():
        for row in logits.reshape(-1, c):
            best = torch.argsort(row, descending=True)[:top_k]
            shares = torch.softmax((row[best] - row.max()).double() / temperature, 0)
            yield best[torch.multinomial(shares, 1, generator=generator)[0]]

    return torch.stack(list(draws())).reshape(logits.shape[:-1])
