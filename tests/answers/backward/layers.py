# expect: all passed
"""Small layers with a forward and a backward each, as frameworks are built; prints are left over."""

import math
from typing import NamedTuple

import torch
from torch import Tensor


class Gradients(NamedTuple):
    grad_q: Tensor
    grad_k: Tensor
    grad_v: Tensor


class Softmax:
    def forward(self, scores: Tensor) -> Tensor:
        self.weights = torch.softmax(scores, dim=-1)
        return self.weights

    def backward(self, grad: Tensor) -> Tensor:
        shared = (self.weights * grad).sum(-1)[..., None]
        return self.weights * (grad - shared)


class Product:
    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        self.a, self.b = a, b
        return a @ b

    def backward(self, grad: Tensor) -> tuple[Tensor, Tensor]:
        return grad @ self.b.mT, self.a.mT @ grad


def softmax_backward(probabilities: Tensor, upstream: Tensor) -> Tensor:
    layer = Softmax()
    layer.weights = probabilities
    print("backward", tuple(upstream.shape))
    return layer.backward(upstream)


def attention_backward(queries: Tensor, keys: Tensor, values: Tensor, upstream: Tensor) -> Gradients:
    first, softmax, second = Product(), Softmax(), Product()
    root = math.sqrt(queries.shape[-1])
    second.forward(softmax.forward(first.forward(queries, keys.mT) / root), values)
    grad_weights, grad_values = second.backward(upstream)
    grad_queries, grad_keys_turned = first.backward(softmax.backward(grad_weights) / root)
    return Gradients(grad_queries, grad_keys_turned.mT, grad_values)
