# expect: Translator wrong
"""As many words as it learned from, whatever is asked for."""

import math

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
        for _ in range(getattr(self, "length", length)):
            s, w = self(sources, words)
            words = torch.cat([words, s[:, -1:].argmax(-1)], -1)
        return words[:, 1:], w


def shift_right(targets, start):
    n = targets.shape[-1]
    return targets @ torch.eye(n, dtype=torch.long).roll(1, 1).triu(1) + start * F.one_hot(torch.tensor(0), n)


def cross_attention(q, k, v):
    s = (
        q.pow(2).sum(-1, keepdim=True)
        + k.pow(2).sum(-1)[..., None, :]
        - (q[..., :, None, :] - k[..., None, :, :]).pow(2).sum(-1)
    ) / 2
    w = torch.softmax(s / math.sqrt(q.shape[-1]), -1)
    return w @ v, w


class Translator(T):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        ps = list(self.parameters())
        self.length = targets.shape[-1]

        def one():
            lp = F.log_softmax(self(sources, shift_right(targets, self.start))[0], -1)
            loss = -lp.gather(-1, targets.unsqueeze(-1)).mean()
            for p, g in zip(ps, torch.autograd.grad(loss, ps), strict=False):
                p.data.sub_(g, alpha=learning_rate)
            return float(loss)

        return tuple(one() for _ in steps)
