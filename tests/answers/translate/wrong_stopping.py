# expect: Translator wrong
# like: loops.py
"""Word 0 is taken for an end."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def shift_right(targets, start):
    return torch.cat([torch.full_like(targets[..., :1], start), targets[..., :-1]], -1)


def cross_attention(queries, keys, values):
    w = torch.softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), -1)
    return w @ values, w


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


class Translator(T):
    @torch.no_grad()
    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            s, w = self(sources, words)
            words = torch.cat([words, s[:, -1:].argmax(-1)], -1)
            if (words[:, -1] == 0).all():
                break
        return words[:, 1:], w
