# expect: all passed
"""A dataclass of settings; Gumbel noise for draws; complex numbers for rotations."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angle = torch.outer(positions.to(torch.float64), base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d))
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).double().contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angle)).flatten(-2).to(x.dtype)


@dataclass(frozen=True)
class Sizes:
    d_model: int
    num_heads: int

    @property
    def width(self):
        return self.d_model // self.num_heads


class Seen(NamedTuple):
    x: Tensor
    weights: Tensor


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.sizes = Sizes(d_model, num_heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def attention(self, x, mask, cache, start):
        q, k, v = (w(x).unflatten(-1, (-1, self.sizes.width)).movedim(-2, -3) for w in (self.Wq, self.Wk, self.Wv))
        positions = torch.arange(start, start + x.shape[-2])
        q, k = rotate(q, positions), rotate(k, positions)
        if cache is not None:
            k, v = cache.append(k, v)
        scores = torch.einsum("...id,...jd->...ij", q, k) / self.sizes.width**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(-1)
        return self.Wo((weights @ v).movedim(-3, -2).flatten(-2)), weights

    def forward(self, x, mask=None, cache=None, start=0):
        found, weights = self.attention(self.norm1(x), mask, cache, start)
        x = x + found
        return Seen(x + self.down(functional.gelu(self.up(self.norm2(x)))), weights)


def next_token_loss(logits, tokens, mask=None):
    losses = functional.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    if mask is None:
        return losses.mean()
    real = mask[:, 1:]
    return torch.where(real, losses, 0.0).sum() / real.sum().clamp(min=1)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.shape[-1]
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= c):
        raise ValueError("temperature or top_k")
    if temperature == 0:
        return logits.argmax(-1)
    if top_k is not None:
        least = logits.topk(top_k).values[..., -1:]
        logits = logits.masked_fill(logits < least, -torch.inf)
    noise = torch.empty(logits.shape, dtype=torch.float64).exponential_(generator=generator)
    return (logits.double() / temperature - noise.log()).argmax(-1)
