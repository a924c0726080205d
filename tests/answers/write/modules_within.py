# expect: all passed
"""Helper classes: a normalised residual as a function, an own softmax, heads in folded batches."""

import torch
from torch import nn
from torch.nn import functional as F


class Rotation:
    def __init__(self, positions, d, base):
        rate = torch.pow(base, -torch.arange(0, d, 2, dtype=torch.float64).repeat_interleave(2) / d)
        self.angle = positions.to(torch.float64).unsqueeze(-1) * rate

    def __matmul__(self, x):
        crossed = torch.empty_like(x)
        crossed[..., 0::2], crossed[..., 1::2] = -x[..., 1::2], x[..., 0::2]
        return x * self.angle.cos().to(x) + crossed * self.angle.sin().to(x)


def rotate(x, positions, base=10000.0):
    return Rotation(positions, x.shape[-1], base) @ x


class Nothing:
    def append(self, k, v):
        return k, v


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.shape = (num_heads, d_model // num_heads)
        modules = {"norm1": nn.LayerNorm(d_model), "norm2": nn.LayerNorm(d_model)}
        modules |= {f"W{letter}": nn.Linear(d_model, d_model) for letter in "qkvo"}
        modules |= {"up": nn.Linear(d_model, 4 * d_model), "down": nn.Linear(4 * d_model, d_model)}
        for name, module in modules.items():
            setattr(self, name, module)

    def forward(self, x, mask=None, cache=None, start=0):
        positions = range(start, start + x.shape[-2])
        y = self.norm1(x)
        q, k, v = (w(y).unflatten(-1, self.shape).transpose(-3, -2) for w in (self.Wq, self.Wk, self.Wv))
        turn = Rotation(torch.tensor(list(positions)), self.shape[1], 10000.0)
        k, v = (Nothing() if cache is None else cache).append(turn @ k, v)
        scores = (turn @ q).matmul(k.mT).div(self.shape[1] ** 0.5)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), -1e34)
        powers = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = powers / powers.sum(-1, keepdim=True)
        x = torch.add(x, self.Wo(weights.matmul(v).transpose(-3, -2).flatten(-2)))
        return torch.add(x, self.down(nn.GELU()(self.up(self.norm2(x))))), weights


def next_token_loss(logits, tokens, mask=None):
    b, n, c = logits.shape
    losses = nn.NLLLoss(reduction="none")(logits[:, : n - 1].reshape(-1, c).log_softmax(1), tokens[:, 1:].reshape(-1))
    real = torch.ones(b * (n - 1)) if mask is None else mask[:, 1:].reshape(-1)
    real = real.to(losses.dtype)
    return torch.dot(losses, real) / torch.clamp(real.sum(), min=1)


class Step:
    def __init__(self, model, optimizer, max_norm):
        self.model, self.optimizer, self.max_norm = model, optimizer, max_norm

    def __call__(self, tokens):
        self.model.train()
        self.optimizer.zero_grad(set_to_none=False)
        loss = next_token_loss(self.model(tokens), tokens)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=self.max_norm, norm_type=2.0)
        self.optimizer.step()
        return loss.item()


def train_step(model, optimizer, tokens, max_norm=1.0):
    return Step(model, optimizer, max_norm)(tokens)


def sample(logits, temperature=1.0, top_k=None, generator=None):
    c = logits.shape[-1]
    if temperature < 0.0 or not (top_k is None or 1 <= top_k <= c):
        raise ValueError(temperature, top_k)
    if temperature == 0.0:
        return logits.topk(1, dim=-1).indices[..., 0]
    scores = logits.to(torch.float64)
    if top_k is not None:
        order = scores.argsort(-1, descending=True).argsort(-1)
        scores = scores.masked_fill(order >= top_k, float("-inf"))
    shares = torch.softmax((scores - scores.amax(-1, keepdim=True)) / temperature, dim=-1)
    arrows = torch.empty(shares.shape, dtype=torch.float64).exponential_(1.0, generator=generator)
    return torch.div(shares, arrows).argmax(dim=-1)
