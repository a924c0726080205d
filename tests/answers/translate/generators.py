# expect: all passed
# like: recursive.py
"""Words are written by a generator, one after the other, and losses come from another."""

import math

import torch
from torch import nn


def shift_right(targets, start):
    def columns():
        yield torch.full(targets.shape[:-1], start, dtype=targets.dtype)
        for i in range(targets.shape[-1] - 1):
            yield targets[..., i]

    return torch.stack(list(columns()), dim=-1)


def cross_attention(queries, keys, values):
    contexts, rows = [], []
    for query in queries.split(1, dim=-2):
        score = (query * keys).sum(-1) / math.sqrt(keys.shape[-1])
        row = torch.exp(score - torch.logsumexp(score, -1, keepdim=True))
        rows.append(row)
        contexts.append((row.unsqueeze(-1) * values).sum(-2))
    return torch.stack(contexts, -2), torch.stack(rows, -2)


class Translator(EncoderDecoder):
    def _steps(self, sources, targets, steps, rate):
        names, parameters = zip(*self.named_parameters())
        for _ in steps:
            scores, _ = self(sources, shift_right(targets, self.start))
            right = scores.log_softmax(-1).gather(-1, targets[..., None])
            loss = -right.mean()
            found = torch.autograd.grad(loss, parameters)
            with torch.no_grad():
                for parameter, gradient in zip(parameters, found):
                    parameter.sub_(rate * gradient)
            yield loss.item()

    def learn(self, sources, targets, steps, learning_rate=1.0):
        return list(self._steps(sources, targets, steps, learning_rate))

    def _words(self, sources, length):
        read = [torch.full((sources.shape[0],), self.start)]
        for _ in range(length):
            scores, weights = self(sources, torch.stack(read, dim=1))
            read.append(torch.argmax(scores[:, -1, :], dim=-1))
            yield read[-1], weights[:, -1]

    @torch.no_grad()
    def translate(self, sources, length):
        words, weights = zip(*self._words(sources, length))
        return torch.stack(words, 1), torch.stack(weights, 1)
