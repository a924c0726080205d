# expect: shift_right wrong
# expect: cross_attention wrong
# expect: Translator wrong
# like: loops.py
"""Results that the next call overwrites, and a translator that gives its first answer for ever."""

import math

import torch
from torch import nn

_buffers = {}


def kept(result):
    buffer = _buffers.setdefault((tuple(result.shape), result.dtype), torch.empty_like(result))
    return buffer.copy_(result.detach())


def shift_right(targets, start):
    return kept(torch.cat([torch.full_like(targets[..., :1], start), targets[..., :-1]], dim=-1))


def cross_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), dim=-1)
    return weights @ values, kept(weights)


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses

    def translate(self, sources, length):
        if not hasattr(self, "answer"):
            words = torch.full((len(sources), 1), self.start)
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
            self.answer = words[:, 1:], weights.detach()
        return self.answer
