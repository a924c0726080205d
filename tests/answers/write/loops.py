# expect: all passed
"""Loops over heads, rows and draws; multinomial row by row."""

import torch
import torch.nn as nn


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    rows = []
    for r, p in enumerate(positions.tolist()):
        i = torch.arange(d // 2, dtype=torch.float64)
        theta = p / base ** (2 * i / d)
        m = torch.zeros(d, d, dtype=torch.float64)
        for j in range(d // 2):
            c, s = torch.cos(theta[j]), torch.sin(theta[j])
            m[2 * j, 2 * j], m[2 * j, 2 * j + 1], m[2 * j + 1, 2 * j], m[2 * j + 1, 2 * j + 1] = c, -s, s, c
        rows.append(x[..., r, :] @ m.T.to(x.dtype))
    return torch.stack(rows, -2)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.norm1 = nn.LayerNorm((d_model,))
        self.norm2 = nn.LayerNorm((d_model,))
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        self.num_heads = num_heads

    def attention(self, x, mask, cache, start):
        positions = torch.arange(start, start + x.shape[-2])
        q, k, v = (
            torch.stack(part.chunk(self.num_heads, dim=-1), dim=-3) for part in (self.Wq(x), self.Wk(x), self.Wv(x))
        )
        q, k = rotate(q, positions), rotate(k, positions)
        if cache is not None:
            k, v = cache.append(k, v)
        outputs, weights = [], []
        for head in range(self.num_heads):
            scores = q[..., head, :, :] @ k[..., head, :, :].transpose(-2, -1) / q.shape[-1] ** 0.5
            if mask is not None:
                own = mask
                if mask.ndim >= 3:
                    own = mask[..., head if mask.shape[-3] > 1 else 0, :, :]
                scores = scores.masked_fill(~own, -torch.inf)
            w = torch.softmax(scores, dim=-1)
            weights.append(w)
            outputs.append(w @ v[..., head, :, :])
        return self.Wo(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=-3)

    def feed_forward(self, x):
        return self.down(nn.functional.gelu(self.up(x)))

    def forward(self, x, mask=None, cache=None, start=0):
        found, weights = self.attention(self.norm1(x), mask, cache, start)
        x = torch.add(x, found)
        return torch.add(x, self.feed_forward(self.norm2(x))), weights


def next_token_loss(logits, tokens, mask=None):
    losses = []
    for rows, text, real in zip(logits, tokens, mask if mask is not None else [None] * len(tokens), strict=True):
        each = nn.functional.cross_entropy(rows[:-1], text[1:], reduction="none")
        losses.append(each if real is None else each[real[1:]])
    losses = torch.cat(losses)
    return losses.mean() if losses.numel() else torch.tensor(0.0, dtype=logits.dtype)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    grads = torch.autograd.grad(loss, list(model.parameters()))
    norm = torch.cat([g.reshape(-1) for g in grads]).norm().item()
    for p, g in zip(model.parameters(), grads, strict=True):
        p.grad = g * min(1.0, max_norm / norm)
    optimizer.step()
    return loss.item()


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0:
        raise ValueError
    if top_k is not None and not (0 < top_k <= logits.shape[-1]):
        raise ValueError
    flat = logits.reshape(-1, logits.shape[-1])
    out = []
    for row in flat:
        if temperature == 0:
            out.append(int(row.argmax()))
            continue
        allowed = row.argsort(descending=True)[:top_k] if top_k else torch.arange(len(row))
        chances = torch.softmax(row[allowed] / temperature, dim=0)
        out.append(int(allowed[torch.multinomial(chances, 1, generator=generator)]))
    return torch.tensor(out, dtype=torch.int64).reshape(logits.shape[:-1])


def train(model, batches, steps, peak=3e-3, warmup=50, max_norm=1.0):
    if steps <= warmup or warmup <= 0:
        raise ValueError(f"{warmup} of {steps}")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda t: peak * min((t + 1) / warmup, (steps - t) / (steps - warmup))
    )
    losses = []
    for batch in batches:
        losses.append(train_step(model, optimizer, batch, max_norm))
        if len(losses) == steps:
            break
        schedule.step()
    return losses
