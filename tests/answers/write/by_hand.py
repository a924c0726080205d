# expect: all passed
"""Norm, GELU, softmax and loss written out; gradients clipped by hand; draws by the running sum."""

import math

import torch
from torch import nn


def rotate(x, positions, base=10000.0):
    out = torch.empty_like(x)
    d = x.shape[-1]
    for pair in range(d // 2):
        angle = positions.double() / base ** (2 * pair / d)
        c, s = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        a, b = x[..., 2 * pair], x[..., 2 * pair + 1]
        out[..., 2 * pair] = a * c - b * s
        out[..., 2 * pair + 1] = a * s + b * c
    return out


def soft(scores):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


def gelu(x):
    return x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        for name in ("norm1", "norm2"):
            setattr(self, name, nn.LayerNorm(d_model))
        for name in ("Wq", "Wk", "Wv", "Wo"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.up = nn.Linear(d_model, d_model * 4)
        self.down = nn.Linear(d_model * 4, d_model)
        self.num_heads = num_heads

    def forward(self, x, mask=None, cache=None, start=0):
        y = self.norm1(x)
        n, width = x.shape[-2], x.shape[-1] // self.num_heads
        places = torch.arange(n) + start
        q, k, v = [], [], []
        Q, K, V = self.Wq(y), self.Wk(y), self.Wv(y)
        for head in range(self.num_heads):
            part = slice(head * width, (head + 1) * width)
            q.append(rotate(Q[..., part], places))
            k.append(rotate(K[..., part], places))
            v.append(V[..., part])
        q, k, v = (torch.stack(heads, dim=-3) for heads in (q, k, v))
        if cache is not None:
            k, v = cache.append(k, v)
        scores = torch.einsum("...qd,...kd->...qk", q, k) / width**0.5
        if mask is not None:
            scores = scores.masked_fill(torch.logical_not(mask), torch.finfo(scores.dtype).min)
        weights = soft(scores)
        mixed = weights @ v
        found = self.Wo(torch.cat(list(mixed.unbind(dim=-3)), dim=-1))
        z = x + found
        return z + self.down(gelu(self.up(self.norm2(z)))), weights


def next_token_loss(logits, tokens, mask=None):
    total, count = logits.sum() * 0, 0
    for b in range(tokens.shape[0]):
        for p in range(tokens.shape[1] - 1):
            if mask is None or mask[b, p + 1]:
                row = logits[b, p]
                total = total + torch.logsumexp(row, dim=0) - row[tokens[b, p + 1]]
                count += 1
    return total / max(count, 1)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train(True)
    for p in model.parameters():
        p.grad = None
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    length = sum((p.grad**2).sum() for p in model.parameters()) ** 0.5
    if length > max_norm:
        for p in model.parameters():
            p.grad.mul_(max_norm / length)
    optimizer.step()
    return loss.detach().item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.shape[-1]
    if temperature < 0:
        raise ValueError(f"temperature {temperature}")
    if not (top_k is None or 1 <= top_k <= c):
        raise ValueError(f"top_k {top_k}")
    if temperature == 0:
        return logits.max(dim=-1).indices
    scores = logits.clone() / temperature
    if top_k is not None:
        order = scores.argsort(dim=-1, descending=True)
        scores = scores.scatter(-1, order[..., top_k:], -math.inf)
    sums = soft(scores.double()).cumsum(dim=-1)
    u = torch.rand(logits.shape[:-1], generator=generator, dtype=torch.float64)[..., None] * sums[..., -1:]
    return (sums <= u).sum(dim=-1)


def train(model, batches, steps, peak=3e-3, warmup=50, max_norm=1.0):
    if warmup < 1:
        raise ValueError("no warm-up")
    if warmup >= steps:
        raise ValueError("no step is left after the warm-up")
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak)
    source, losses = iter(batches), []
    for t in range(steps):
        rise, fall = (t + 1) / warmup, (steps - t) / (steps - warmup)
        optimizer.param_groups[0]["lr"] = peak * (rise if rise < fall else fall)
        losses.append(train_step(model, optimizer, next(source), max_norm))
    return losses
