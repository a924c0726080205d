# expect: TransformerBlock wrong post_norm
# expect: next_token_loss wrong input_token_as_target
# expect: sample wrong multiplied_by_the_temperature
# expect: train_step wrong gradients_not_cleared
"""What is remembered from the first Transformer; and one slip in each of the others."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    t = positions[:, None] * base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    c, s = t.cos().to(x.dtype), t.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x, mask=None, cache=None, start=0):
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(-3, -2) for f in (self.Wq, self.Wk, self.Wv))
        p = torch.arange(start, start + x.shape[-2])
        q, k = rotate(q, p), rotate(k, p)
        if cache is not None:
            k, v = cache.append(k, v)
        s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        w = s.softmax(-1)
        x = self.norm1(x + self.Wo((w @ v).transpose(-3, -2).flatten(-2)))
        return self.norm2(x + self.down(F.gelu(self.up(x)))), w


def next_token_loss(logits, tokens, mask=None):
    losses = F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")
    if mask is None:
        return losses.mean()
    return (losses * mask).sum() / mask.sum().clamp(min=1)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    logits = model(tokens)
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and not 1 <= top_k <= logits.shape[-1]):
        raise ValueError
    if temperature == 0:
        return logits.argmax(-1)
    s = logits * temperature
    if top_k is not None:
        s = s.masked_fill(s < s.topk(top_k).values[..., -1:], -math.inf)
    # Gumbel's way of drawing: the noisiest wins.
    u = torch.rand(s.shape, generator=generator, dtype=torch.float64).clamp(min=1e-12)
    return (s - torch.log(-torch.log(u))).argmax(-1)
