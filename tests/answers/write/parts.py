# expect: all passed
"""A module inside the block without parameters of its own; functions of many small steps; exponential races."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def angles(positions: Tensor, d: int, base: float) -> Tensor:
    speeds = torch.pow(torch.tensor(base, dtype=torch.float64), -torch.arange(0, d, 2, dtype=torch.float64) / d)
    return positions.to(torch.float64).reshape(-1, 1) * speeds


def rotate(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    theta = angles(positions, x.shape[-1], base)
    even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
    cos, sin = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    return torch.stack((even * cos - odd * sin, odd * cos + even * sin), dim=-1).flatten(start_dim=-2)


class Attend(nn.Module):
    """Only the arithmetic."""

    def forward(self, q, k, v, mask):
        scores = torch.matmul(q, k.transpose(-1, -2)).div(math.sqrt(q.shape[-1]))
        if mask is not None:
            scores = scores.masked_fill(mask == False, -math.inf)  # noqa: E712
        weights = nn.Softmax(dim=-1)(scores)
        return torch.matmul(weights, v), weights


class TransformerBlock(nn.Module):
    def __init__(self, d_model: int, num_heads: int):
        super().__init__()
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.attend = Attend()
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.Wq, self.Wk = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wv, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.up = nn.Linear(in_features=d_model, out_features=4 * d_model)
        self.down = nn.Linear(in_features=4 * d_model, out_features=d_model)
        self.drop = nn.Dropout(0.1)

    def _split(self, x):
        return x.view(*x.shape[:-1], self.num_heads, self.d_h).transpose(-3, -2)

    def forward(self, x, mask=None, cache=None, start=0):
        residual = x
        x = self.norm1(x)
        q, k, v = self._split(self.Wq(x)), self._split(self.Wk(x)), self._split(self.Wv(x))
        positions = torch.tensor([start + i for i in range(x.shape[-2])])
        q, k = rotate(q, positions), rotate(k, positions)
        if cache is not None:
            k, v = cache.append(k=k, v=v)
        mixed, weights = self.attend(q, k, v, mask)
        x = residual + self.drop(self.Wo(mixed.transpose(-3, -2).reshape(residual.shape)))
        residual = x
        x = self.norm2(x)
        x = self.down(F.gelu(self.up(x)))
        return residual + self.drop(x), weights


def next_token_loss(logits, tokens, mask=None):
    chances = logits.log_softmax(dim=-1)[:, :-1]
    of_next = torch.gather(chances, 2, tokens[:, 1:].unsqueeze(2)).squeeze(2)
    if mask is None:
        return -of_next.mean()
    chosen = of_next[mask[:, 1:]]
    return -chosen.mean() if len(chosen) else logits.new_zeros(())


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.zero_grad()
    model.train()
    logits = model(tokens)
    loss = next_token_loss(logits, tokens)
    value = loss.item()
    loss.backward()
    norm = torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in model.parameters()]))
    factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    for p in model.parameters():
        p.grad = p.grad * factor
    optimizer.step()
    return value


def sample(logits, temperature=1.0, top_k=None, generator=None):
    size = logits.shape[-1]
    if top_k is not None:
        if top_k <= 0:
            raise ValueError("top_k is too small")
        if top_k > size:
            raise ValueError("top_k is too large")
    if temperature < 0.0:
        raise ValueError("the temperature is negative")
    if not temperature:
        return logits.argmax(dim=-1, keepdim=False)
    chances = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        kept = torch.zeros_like(chances, dtype=torch.bool).scatter(-1, logits.topk(top_k, dim=-1).indices, True)
        chances = chances * kept
        chances = chances / chances.sum(dim=-1, keepdim=True)
    clocks = torch.empty_like(chances).exponential_(generator=generator)
    return torch.argmax(chances / clocks, dim=-1)


def shares(steps: int, warmup: int):
    for t in range(steps):
        yield min((t + 1) / warmup, (steps - t) / (steps - warmup))


def train(model, batches, steps, peak=3e-3, warmup=50, max_norm=1.0):
    if not (1 <= warmup and warmup < steps):
        raise ValueError("the warm-up must be shorter than the training")
    optimizer = torch.optim.AdamW([parameter for parameter in model.parameters() if parameter.requires_grad])
    losses = torch.zeros(steps, dtype=torch.float64)
    for t, (share, tokens) in enumerate(zip(shares(steps, warmup), batches, strict=False)):
        optimizer.param_groups[0]["lr"] = share * peak
        losses[t] = train_step(model, optimizer, tokens, max_norm)
    return losses.tolist()
