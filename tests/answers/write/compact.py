# expect: all passed
"""Short: addmm by baddbmm, one list of linears, ignore_index, Categorical where no generator is given."""

import torch
from torch import nn
from torch.nn.functional import cross_entropy, gelu


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    w = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    t = (positions.unsqueeze(1) * w).repeat_interleave(2, dim=1)
    swapped = torch.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape)
    return x * t.cos().to(x) + swapped * t.sin().to(x)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = [nn.Linear(d_model, d_model) for _ in "qkvo"]
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x, mask=None, cache=None, start=0):
        y, h, n = self.norm1(x), self.heads, x.size(-2)
        q, k, v = (W(y).unflatten(-1, (h, -1)).movedim(-2, -3) for W in (self.Wq, self.Wk, self.Wv))
        at = torch.arange(start, start + n)
        q, k = rotate(q, at), rotate(k, at)
        if cache is not None:
            k, v = cache.append(k, v)
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = s + torch.zeros(mask.shape, dtype=s.dtype).masked_fill(~mask, float("-inf"))
        w = s.softmax(-1)
        x = x + self.Wo((w @ v).movedim(-3, -2).flatten(-2))
        return x + self.down(gelu(self.up(self.norm2(x)))), w


def next_token_loss(logits, tokens, mask=None):
    losses = cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    if mask is None:
        mask = torch.ones_like(tokens, dtype=torch.bool)
    keep = mask[:, 1:]
    return torch.where(keep, losses, 0).sum() / max(1, int(keep.sum()))


def train_step(model, optimizer, tokens, max_norm=1.0):
    optimizer.zero_grad()
    model.train()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    params = [p for group in optimizer.param_groups for p in group["params"]]
    nn.utils.clip_grad_norm_(params, max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0 or (top_k is not None and top_k not in range(1, logits.shape[-1] + 1)):
        raise ValueError("temperature >= 0, 1 <= top_k <= c")
    if temperature == 0:
        return logits.argmax(-1)
    kept, index = logits.topk(top_k or logits.shape[-1], dim=-1)
    p = torch.softmax(kept / temperature, -1)
    place = torch.multinomial(p.flatten(0, -2) if p.ndim > 1 else p[None], 1, generator=generator)
    return index.gather(-1, place.reshape(*logits.shape[:-1], 1)).squeeze(-1)


def train(model, batches, steps, peak=3e-3, warmup=50, max_norm=1.0):
    if not 0 < warmup < steps:
        raise ValueError(warmup)
    rates = [peak * min((t + 1) / warmup, (steps - t) / (steps - warmup)) for t in range(steps)]
    opt = torch.optim.AdamW(model.parameters())
    return [
        train_step(model, opt, tokens, max_norm)
        for rate, tokens in zip(rates, batches)
        if not opt.param_groups[0].update(lr=rate)
    ]
