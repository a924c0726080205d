# expect: Translator wrong gradients_not_cleared
# like: ../loops.py
"""Gradients are never emptied, and `translate` keeps the graph."""

import math

import torch
from torch import nn


def cross_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1]), dim=-1)
    return weights @ values, weights


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        losses = []
        for _ in steps:
            scores, _ = self(sources, shift_right(targets, self.start))
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            loss.backward()
            with torch.no_grad():
                for p in self.parameters():
                    p -= learning_rate * p.grad
            losses.append(loss.item())
        return losses

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            scores, weights = self(sources, words)
            words = torch.cat([words, scores[:, -1:].argmax(-1)], dim=1)
        return words[:, 1:], weights
