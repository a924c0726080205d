# expect: all passed
"""Dataclasses of a forward pass that is kept, with a method for each step back."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class Gradients(NamedTuple):
    q: Tensor
    k: Tensor
    v: Tensor


def softmax_backward(weights, grad):
    weighted = weights * grad
    return weighted - weights * weighted.sum(-1, keepdim=True)


@dataclass
class Tape:
    q: Tensor
    k: Tensor
    v: Tensor

    def __post_init__(self):
        self.scale = self.q.shape[-1] ** -0.5
        self.weights = torch.softmax(self.q @ self.k.mT * self.scale, -1)

    def back(self, grad):
        scores = softmax_backward(self.weights, grad @ self.v.mT) * self.scale
        return Gradients(scores @ self.k, scores.mT @ self.q, self.weights.mT @ grad)


def attention_backward(q, k, v, grad_output):
    return Tape(q, k, v).back(grad_output)
