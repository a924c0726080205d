# expect: all passed
"""A decorator keeps what the forward pass made; functions are registered as their own backward."""

import functools
import math

import torch

BACKWARD = {}


def backward_of(forward):
    def register(function):
        BACKWARD[forward.__name__] = function
        return function

    return register


def product(a, b):
    return a @ b


@backward_of(product)
def product_backward(a, b, grad):
    return grad @ b.transpose(-2, -1), a.transpose(-2, -1) @ grad


def softmax_backward(weights, grad):
    return torch.mul(weights, grad.sub(torch.mul(weights, grad).sum(dim=-1, keepdim=True)))


BACKWARD["softmax"] = softmax_backward


def kept(function):
    @functools.wraps(function)
    def inner(q, k, v, grad):
        kt = k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(product(q, kt), dim=-1)
        return function(q, kt, weights, v, grad)

    return inner


@kept
def attention_backward(q, kt, weights, v, grad):
    grad_weights, grad_v = BACKWARD["product"](weights, v, grad)
    grad_scores = BACKWARD["softmax"](weights, grad_weights)
    grad_q, grad_kt = BACKWARD["product"](q, kt, grad_scores)
    return [grad_q, grad_kt.transpose(-2, -1) / math.sqrt(kt.shape[-2]), grad_v]
