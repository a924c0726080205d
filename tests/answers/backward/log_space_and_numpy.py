# expect: all passed
"""NumPy from beginning to end (nothing needs a gradient here), weights in log space."""

import numpy as np
import torch


def softmax_backward(weights, grad):
    w, g = weights.detach().numpy(), grad.detach().numpy()
    return torch.from_numpy(w * (g - np.einsum("...i,...i->...", w, g)[..., None]))


def attention_backward(q, k, v, grad_output):
    q, k, v, g = (x.detach().numpy() for x in (q, k, v, grad_output))
    T = lambda x: np.swapaxes(x, -1, -2)  # noqa: E731
    root = q.dtype.type(np.sqrt(q.shape[-1]))
    scores = q @ T(k) / root
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    back = g @ T(v)
    s = weights * (back - (weights * back).sum(-1, keepdims=True)) / root
    return tuple(torch.from_numpy(np.ascontiguousarray(x)) for x in (s @ k, T(s) @ q, T(weights) @ g))
