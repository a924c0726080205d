# expect: all passed
"""The work done by NumPy, in float64; a helper that makes the weights, and a comparison that is not part of it."""

import numpy as np
import torch


def softmax_backward(weights, grad):
    w, g = weights.detach().numpy().astype(np.float64), grad.detach().numpy().astype(np.float64)
    rows = np.einsum("...j,...j->...", w, g)
    return torch.from_numpy(w * g - w * rows[..., None]).to(weights.dtype)


def _weights(q, k):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return scores


def attention_backward(q, k, v, grad_output):
    kind = q.dtype
    q, k, v, g = (x.detach().numpy().astype(np.float64) for x in (q, k, v, grad_output))
    w = _weights(q, k)
    dw = g @ np.swapaxes(v, -1, -2)
    ds = w * (dw - (w * dw).sum(-1, keepdims=True)) / np.sqrt(q.shape[-1])
    found = ds @ k, np.swapaxes(ds, -1, -2) @ q, np.swapaxes(w, -1, -2) @ g
    return tuple(torch.from_numpy(x).to(kind) for x in found)


def compare():
    q, k, v, g = (torch.randn(3, 3, requires_grad=True) for _ in range(4))
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return torch.autograd.grad(output, (q, k, v), g), attention_backward(q, k, v, g)


compare()
