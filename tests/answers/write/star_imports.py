# expect: all passed
"""Stars; clipping by hand; draws by a running sum."""

from torch import *
from torch.nn import *
from torch.nn.functional import gelu, layer_norm, one_hot
from builtins import *
from math import sqrt


def rotate(x, positions, base=10000.0):
    y = zeros_like(x)
    for i in range(0, x.shape[-1], 2):
        a = positions.to(float64) / base ** (i / x.shape[-1])
        y[..., i] = x[..., i] * cos(a) - x[..., i + 1] * sin(a)
        y[..., i + 1] = x[..., i] * sin(a) + x[..., i + 1] * cos(a)
    return y


class TransformerBlock(Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.norm1 = LayerNorm(d_model)
        self.Wq = Linear(d_model, d_model)
        self.Wk = Linear(d_model, d_model)
        self.Wv = Linear(d_model, d_model)
        self.Wo = Linear(d_model, d_model)
        self.norm2 = LayerNorm(d_model)
        self.up = Linear(d_model, 4 * d_model)
        self.down = Linear(4 * d_model, d_model)
        self.h = num_heads

    def forward(self, x, mask=None, cache=None, start=0):
        y = self.norm1(x)
        *f, n, d = x.shape
        q, k, v = [w(y).reshape(*f, n, self.h, d // self.h).swapaxes(-2, -3) for w in (self.Wq, self.Wk, self.Wv)]
        p = arange(start, start + n)
        q, k = rotate(q, p), rotate(k, p)
        if cache is not None:
            k, v = cache.append(k, v)
        s = q @ k.mT / sqrt(d // self.h)
        if mask is not None:
            s = where(mask, s, tensor(-inf, dtype=s.dtype))
        a = softmax(s, -1)
        x = x + self.Wo((a @ v).swapaxes(-2, -3).reshape(*f, n, d))
        return x + self.down(gelu(self.up(self.norm2(x)))), a


def next_token_loss(logits, tokens, mask=None):
    shares = log_softmax(logits[:, :-1], -1)
    losses = -(shares * one_hot(tokens[:, 1:], logits.shape[-1])).sum(-1)
    if mask is not None:
        losses = losses[mask[:, 1:]]
    return losses.sum() / max(losses.numel(), 1)


def train_step(model, optimizer, tokens, max_norm=1.0):
    model.train()
    for p in model.parameters():
        p.grad = None
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    length = sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    if length > max_norm:
        for g in gradients:
            g *= max_norm / length
    optimizer.step()
    return float(loss.detach())


def sample(logits, temperature=1.0, top_k=None, generator=None):
    if temperature < 0:
        raise ValueError
    if top_k is not None and (top_k < 1 or top_k > logits.shape[-1]):
        raise ValueError
    if temperature == 0:
        return argmax(logits, -1)
    scores, names = sort(logits.double() / temperature, dim=-1, descending=True)
    shares = softmax(scores[..., :top_k], -1).cumsum(-1)
    u = rand(shares.shape[:-1], generator=generator, dtype=float64)[..., None] * shares[..., -1:]
    return names.gather(-1, (shares < u).sum(-1, keepdim=True)).squeeze(-1)
