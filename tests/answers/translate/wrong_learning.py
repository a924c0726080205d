# expect: shift_right passed
# expect: cross_attention passed
# expect: Translator wrong gradients_not_cleared
# like: loops.py
"""Gradients are never emptied."""

import math

import torch
from torch import nn


def shift_right(targets, start):
    return torch.cat([torch.full_like(targets[..., :1], start), targets[..., :-1]], dim=-1)


def cross_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), dim=-1)
    return weights @ values, weights


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        inputs, losses = shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights
