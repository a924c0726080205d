# expect: shift_right wrong
# expect: cross_attention wrong
# expect: Translator wrong
# like: loops.py
"""Mistakes that nobody listed: shifted by two, scores cut off, weights that shrink with every step."""

import math

import torch
from torch import nn


def shift_right(targets, start):
    return torch.cat([torch.full_like(targets[..., :2], start), targets[..., :-2]], dim=-1)


def cross_attention(queries, keys, values):
    scores = (queries @ keys.mT / math.sqrt(keys.shape[-1])).clamp(-1, 1)
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


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
                    parameter -= learning_rate * (parameter.grad + 0.01 * parameter)
            losses.append(loss.item())
        return losses

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights
