# expect: all passed
"""Nested lists, a loop over batches, and a translation that calls itself."""

import torch
import torch.nn.functional as F
from torch import nn


class EncoderDecoder(nn.Module):
    def __init__(self, source_size, target_size, d_model=32):
        super().__init__()
        self.start = target_size
        self.source_words = nn.Embedding(source_size, d_model)
        self.target_words = nn.Embedding(target_size + 1, d_model)
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.decoder = nn.GRU(d_model, d_model, batch_first=True)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.join = nn.Linear(2 * d_model, d_model)
        self.out = nn.Linear(d_model, target_size)

    def forward(self, sources, inputs):
        words = self.source_words(sources)
        annotations, _ = self.encoder(words)
        states, _ = self.decoder(self.target_words(inputs))
        context, weights = self.attend(states, annotations, words)
        joined = torch.tanh(self.join(torch.cat([context, states], dim=-1)))
        return self.out(joined), weights

    def attend(self, states, annotations, words):
        return cross_attention(self.Wq(states), self.Wk(annotations), words)


class T(EncoderDecoder):
    def inputs(self, t):
        return shift_right(t, self.start)

    def loss(self, s, t):
        return F.cross_entropy(s.flatten(0, 1), t.flatten())

    def zero(self):
        self.zero_grad()

    def step(self, lr):
        with torch.no_grad():
            for p in self.parameters():
                p -= lr * p.grad

    def learn(self, sources, targets, steps, learning_rate=1.0):
        out = []
        for _ in steps:
            loss = self.loss(self(sources, self.inputs(targets))[0], targets)
            self.zero()
            loss.backward()
            self.step(learning_rate)
            out.append(loss.item())
        return out

    @torch.no_grad()
    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            s, w = self(sources, words)
            words = torch.cat([words, s[:, -1:].argmax(-1)], -1)
        return words[:, 1:], w


def shift_right(targets, start):
    def f(x):
        return [start, *x[:-1]] if not isinstance(x[0], list) else [f(y) for y in x]

    return torch.tensor(f(targets.tolist()))


def cross_attention(q, k, v):
    if q.dim() > 2:
        a, b = zip(*(cross_attention(*t) for t in zip(q, k, v, strict=False)), strict=False)
        return torch.stack(a), torch.stack(b)
    w = torch.softmax(
        torch.addmm(torch.zeros(len(q), len(k), dtype=q.dtype), q, k.t(), beta=0, alpha=q.shape[1] ** -0.5), 1
    )
    return w.mm(v), w


class Translator(T):
    def translate(self, sources, length, words=None):
        if words is None:
            words = sources.new_full((len(sources), 1), self.start)
        with torch.inference_mode():
            s, w = self(sources, words)
        words = torch.hstack([words, s[:, -1].argmax(1, keepdim=True)])
        return (words[:, 1:], w) if words.shape[1] > length else self.translate(sources, length, words)
