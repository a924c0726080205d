# expect: all passed
# like: recursive.py
"""Decorators for steps and for no_grad; gradients by .data."""

import functools
import math

import torch
import torch.nn.functional as F


def shift_right(targets, start):
    return F.pad(targets, (1, -1), value=start)


def by_root(function):
    @functools.wraps(function)
    def inner(queries, keys, values):
        return function(queries / math.sqrt(queries.shape[-1]), keys, values)

    return inner


@by_root
def cross_attention(queries, keys, values):
    weights = F.softmax(torch.matmul(queries, keys.transpose(-2, -1)), dim=-1)
    return torch.matmul(weights, values), weights


def every_step(step):
    @functools.wraps(step)
    def learn(self, sources, targets, steps, learning_rate=1.0):
        return [step(self, sources, targets, learning_rate) for _ in steps]

    return learn


class Translator(EncoderDecoder):
    @every_step
    def learn(self, sources, targets, learning_rate):
        self.train()
        for parameter in self.parameters():
            parameter.grad = None
        scores = self.forward(sources, shift_right(targets, self.start))[0]
        loss = F.nll_loss(F.log_softmax(scores.flatten(0, 1), dim=1), targets.reshape(-1))
        loss.backward()
        for parameter in self.parameters():
            parameter.data -= learning_rate * parameter.grad.data
        return loss.item()

    @torch.no_grad()
    def translate(self, sources, length):
        words = torch.zeros(sources.shape[0], length, dtype=torch.long)
        for i in range(length):
            scores, weights = self.forward(sources, shift_right(words, self.start)[:, : i + 1])
            words[:, i] = scores[:, i].max(dim=-1).indices
        return words, weights
