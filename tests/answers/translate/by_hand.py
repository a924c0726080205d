# expect: all passed
# like: loops.py
"""Softmax and loss written out, gradients by `torch.autograd.grad`, one-hot targets."""

import math

import torch
from torch import nn


def shift_right(targets, start):
    shifted = torch.roll(targets, 1, dims=-1)
    shifted[..., 0] = start
    return shifted


def cross_attention(queries, keys, values):
    scores = torch.matmul(queries, torch.swapaxes(keys, -1, -2)).div(math.sqrt(queries.shape[-1]))
    exponentials = torch.exp(scores - torch.amax(scores, dim=-1, keepdim=True))
    weights = exponentials / torch.sum(exponentials, dim=-1, keepdim=True)
    return torch.matmul(weights, values), weights


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        parameters = list(self.parameters())
        wanted = nn.functional.one_hot(targets, self.start)
        losses = []
        for _ in steps:
            scores = self(sources, shift_right(targets, self.start))[0]
            logarithms = scores - torch.logsumexp(scores, dim=-1, keepdim=True)
            loss = -(wanted * logarithms).sum() / targets.numel()
            with torch.no_grad():
                for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                    parameter.copy_(parameter - learning_rate * gradient)
            losses += [loss.item()]
        return losses

    def translate(self, sources, length):
        words, rows = torch.full((len(sources), 1), self.start), []
        while words.shape[1] <= length:
            scores, weights = self(sources, words)
            best = torch.softmax(scores[:, -1], dim=-1).max(dim=-1).indices
            words = torch.cat([words, best.unsqueeze(1)], dim=1)
            rows.append(weights[:, -1])
        return words[:, 1:], torch.stack(rows, dim=1)
