# expect: all passed
# like: loops.py
"""Attention as a module of its own behind the function, learning in a helper outside the class, numpy on the way."""

import numpy as np
import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, queries, keys, values):
        energy = (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) / np.sqrt(keys.shape[-1])
        weights = nn.Softmax(dim=-1)(energy)
        return (weights.unsqueeze(-1) * values.unsqueeze(-3)).sum(-2), weights


def descend(model, loss, rate):
    model.zero_grad()
    loss.backward()
    state = {name: parameter.detach() - rate * parameter.grad for name, parameter in model.named_parameters()}
    model.load_state_dict(state, strict=False)
    return loss.item()


def shift_right(targets, start):
    rows = targets.numpy()
    first = np.full_like(rows[..., :1], start)
    return torch.from_numpy(np.concatenate([first, rows[..., :-1]], axis=-1))


def cross_attention(queries, keys, values):
    return Attention()(queries, keys, values)


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        losses = []
        for _ in steps:
            scores, _ = self(sources, shift_right(targets, self.start))
            words = nn.functional.nll_loss(scores.log_softmax(-1).movedim(-1, 1), targets, reduction="none")
            losses.append(descend(self, words.mean(), learning_rate))
        return np.array(losses)

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            scores = self(sources, words)[0]
            words = torch.cat([words, torch.from_numpy(scores.detach().numpy().argmax(-1))[:, -1:]], dim=-1)
        return words[:, 1:], self(sources, words[:, :-1])[1]
