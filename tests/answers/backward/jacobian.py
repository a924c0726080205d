# expect: all passed
"""The Jacobian of every row written out, and einsum for the rest."""

import torch


def softmax_backward(weights, grad):
    jacobians = torch.diag_embed(weights) - torch.einsum("...i,...j->...ij", weights, weights)
    return torch.einsum("...ij,...i->...j", jacobians, grad)


def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    scores = torch.einsum("...id,...jd->...ij", q, k) / d**0.5
    weights = torch.nn.Softmax(dim=-1)(scores)
    grad_v = torch.einsum("...ij,...ie->...je", weights, grad_output)
    grad_weights = torch.einsum("...ie,...je->...ij", grad_output, v)
    grad_scores = softmax_backward(weights, grad_weights)
    grad_q = torch.einsum("...ij,...jd->...id", grad_scores, k) / d**0.5
    grad_k = torch.einsum("...ij,...id->...jd", grad_scores, q) / d**0.5
    return grad_q, grad_k, grad_v
