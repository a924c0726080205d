# expect: all passed
"""As in many small GPTs: sizes named once, view and transpose, rotation by complex numbers, Gumbel noise."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    freqs = 1.0 / (base ** (torch.arange(0, d, 2).double() / d))
    turns = torch.polar(torch.ones(len(positions), d // 2).double(), torch.outer(positions.double(), freqs))
    z = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(z * turns).flatten(-2).to(x.dtype)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.d_h = d_model // num_heads
        self.norm1 = nn.LayerNorm(d_model)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.Wv = nn.Linear(d_model, d_model)
        self.Wo = nn.Linear(d_model, d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)
        self.act = nn.GELU()

    def heads(self, t):
        return t.reshape(*t.shape[:-1], self.h, self.d_h).transpose(-2, -3)

    def attend(self, x, mask, cache, start):
        *batch, n, d = x.shape
        q, k, v = self.heads(self.Wq(x)), self.heads(self.Wk(x)), self.heads(self.Wv(x))
        pos = start + torch.arange(n)
        q, k = rotate(q, pos), rotate(k, pos)
        if cache is not None:
            k, v = cache.append(k, v)
        att = (q * self.d_h**-0.5) @ k.transpose(-1, -2)
        if mask is not None:
            att = torch.where(mask, att, torch.tensor(float("-inf"), dtype=att.dtype))
        att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(-2, -3).reshape(*batch, n, d)
        return self.Wo(y), att

    def forward(self, x, mask=None, cache=None, start=0):
        y, att = self.attend(self.norm1(x), mask, cache, start)
        x = x + y
        x = x + self.down(self.act(self.up(self.norm2(x))))
        return x, att


def next_token_loss(logits, tokens, mask=None):
    C = logits.shape[-1]
    targets = tokens[:, 1:].clone()
    if mask is not None:
        if not mask[:, 1:].any():
            return torch.zeros((), dtype=logits.dtype)
        targets[~mask[:, 1:]] = -100
    return F.cross_entropy(logits[:, :-1].reshape(-1, C), targets.reshape(-1), ignore_index=-100)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    loss = next_token_loss(model(tokens), tokens)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], max_norm)
    optimizer.step()
    model.eval()
    return float(loss)


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0:
        raise ValueError("temperature")
    if top_k is not None and (top_k < 1 or top_k > logits.size(-1)):
        raise ValueError("top_k")
    if temperature == 0:
        return torch.argmax(logits, dim=-1)
    scores = logits.double() / temperature
    if top_k is not None:
        kth = torch.sort(scores, dim=-1, descending=True).values[..., top_k - 1 : top_k]
        scores = torch.where(scores >= kth, scores, -math.inf)
    noise = torch.rand(scores.shape, generator=generator, dtype=torch.float64).clamp(min=1e-300)
    return (scores - torch.log(-torch.log(noise))).argmax(dim=-1)


def get_lr(it, steps, peak, warmup):
    if it < warmup and (it + 1) / warmup <= (steps - it) / (steps - warmup):
        return peak * (it + 1) / warmup
    return peak * (steps - it) / (steps - warmup)


def train(model, batches, steps, peak=3e-3, warmup=50, max_norm=1.0):
    if warmup < 1 or warmup >= steps:
        raise ValueError("1 <= warmup < steps")
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.999), weight_decay=0.01)
    data, losses = iter(batches), []
    for it in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = get_lr(it, steps, peak, warmup)
        x = next(data)
        losses.append(float(train_step(model, optimizer, x, max_norm=max_norm)))
    return losses
