# expect: all passed
# like: loops.py
"""An optimizer of torch's, einsum, scores turned for the loss."""

import torch
from torch import nn


def shift_right(targets, start):
    return torch.cat((targets.new_full((*targets.shape[:-1], 1), start), targets[..., :-1]), -1)


def cross_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * keys.shape[-1] ** -0.5
    weights = scores.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, values), weights


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        optimizer = torch.optim.SGD(self.parameters(), lr=learning_rate)
        criterion = nn.CrossEntropyLoss()
        losses = []
        for _ in steps:
            optimizer.zero_grad()
            scores, _ = self(sources, shift_right(targets, self.start))
            loss = criterion(scores.transpose(1, 2), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    @torch.inference_mode()
    def translate(self, sources, length):
        words = torch.full((sources.shape[0], length + 1), self.start)
        for place in range(length):
            scores, weights = self(sources, words[:, : place + 1])
            words[:, place + 1] = scores[:, place].argmax(-1)
        return words[:, 1:], weights
