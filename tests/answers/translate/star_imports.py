# expect: all passed
# like: recursive.py
"""Stars; roll and an index for the shift; exp of log_softmax."""

from torch import *
from torch.nn import *
from builtins import *
from math import sqrt


def shift_right(targets, start):
    moved = roll(targets, 1, -1)
    moved[..., 0] = start
    return moved


def cross_attention(q, k, v):
    w = log_softmax(q @ k.mT / sqrt(k.shape[-1]), -1).exp()
    return w @ v, w


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        losses = []
        for _ in steps:
            self.zero_grad()
            loss = CrossEntropyLoss()(self(sources, shift_right(targets, self.start))[0].mT, targets)
            loss.backward()
            with no_grad():
                for p in self.parameters():
                    p.add_(p.grad, alpha=-learning_rate)
            losses += [float(loss)]
        return losses

    def translate(self, sources, length):
        words = empty(len(sources), 0, dtype=int64)
        with no_grad():
            for _ in range(length):
                begin = full((len(sources), 1), self.start)
                scores, weights = self(sources, hstack([begin, words]))
                words = hstack([words, scores[:, -1].argmax(-1, keepdim=True)])
        return words, weights
