# expect: all passed
"""Type hints, named results, a buffer more, dropout of nothing, warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Attention(NamedTuple):
    context: Tensor
    weights: Tensor


class Translation(NamedTuple):
    words: Tensor
    weights: Tensor


def shift_right(words: Tensor, begin: int) -> Tensor:
    return F.pad(words[..., :-1], (1, 0), value=begin)


def cross_attention(states: Tensor, annotations: Tensor, vectors: Tensor) -> Attention:
    warnings.warn("no mask here", stacklevel=2)
    width = annotations.size(dim=-1)
    weights = F.softmax(torch.matmul(states / width**0.25, (annotations / width**0.25).transpose(-1, -2)), dim=-1)
    return Attention(torch.matmul(F.dropout(weights, 0.0), vectors), weights)


class EncoderDecoder(nn.Module):
    def __init__(self, source_size, target_size, d_model=32):
        super().__init__()
        self.start = target_size
        self.source_words = nn.Embedding(source_size, d_model)
        self.target_words = nn.Embedding(target_size + 1, d_model)
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.decoder = nn.GRU(d_model, d_model, batch_first=True)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.join = nn.Linear(2 * d_model, d_model)
        self.out = nn.Linear(d_model, target_size)

    def forward(self, sources, inputs):
        words = self.source_words(sources)
        annotations, _ = self.encoder(words)
        states, _ = self.decoder(self.target_words(inputs))
        context, weights = self.attend(states, annotations, words)
        joined = torch.tanh(self.join(torch.cat([context, states], dim=-1)))
        return self.out(joined), weights

    def attend(self, states, annotations, words):
        return cross_attention(self.Wq(states), self.Wk(annotations), words)


class Translator(EncoderDecoder):
    def __init__(self, source_size: int, target_size: int, d_model: int = 32) -> None:
        super().__init__(source_size, target_size, d_model)
        self.register_buffer("steps_taken", torch.zeros((), dtype=torch.int64))

    def loss_of(self, sources: Tensor, targets: Tensor) -> Tensor:
        scores, _ = self.forward(sources, shift_right(targets, self.start))
        return F.cross_entropy(scores.reshape(-1, scores.size(-1)), targets.reshape(-1))

    def learn(self, sources: Tensor, targets: Tensor, steps: Iterable, learning_rate: float = 1.0) -> list[float]:
        return [self.step(sources, targets, learning_rate) for _ in steps]

    def step(self, sources: Tensor, targets: Tensor, learning_rate: float) -> float:
        loss = self.loss_of(sources, targets)
        self.zero_grad(set_to_none=False)
        loss.backward()
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.add_(parameter.grad, alpha=-learning_rate)
        self.steps_taken += 1
        return float(loss)

    @torch.no_grad()
    def translate(self, sources: Tensor, length: int) -> Translation:
        inputs = torch.full((sources.size(0), 1), self.start, dtype=torch.long)
        for _ in range(length):
            scores, weights = self.forward(sources, inputs)
            _, best = scores[:, -1, :].topk(1, dim=-1)
            inputs = torch.hstack((inputs, best))
        return Translation(inputs[:, 1:], weights)
