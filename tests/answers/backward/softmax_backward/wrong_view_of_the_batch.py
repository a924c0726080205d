# expect: softmax_backward raised
"""Lays all batch axes into one with `view`, which refuses tensors whose numbers lie apart."""


def softmax_backward(weights, grad):
    flat_weights, flat_grad = (each.view(-1, each.shape[-1]) for each in (weights, grad))
    average = (flat_weights * flat_grad).sum(dim=-1, keepdim=True)
    return (flat_weights * (flat_grad - average)).view(weights.shape)
