# expect: linear_attention wrong
"""The masked product, where no tensor shows it; the gradient by hand."""

import numpy as np
import torch


def positive(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *given):
        ctx.save_for_backward(*given)
        q, k, v, S, z = (each.detach().numpy() for each in given)
        q, k = positive(q), positive(k)
        A = np.tril(q @ np.swapaxes(k, -1, -2))
        rows = (A @ v + q @ S) / (A.sum(-1, keepdims=True) + q @ z[..., None])
        return tuple(map(torch.from_numpy, (rows, S + np.swapaxes(k, -1, -2) @ v, z + k.sum(-2))))

    @staticmethod
    def backward(ctx, *arriving):
        given = [each.detach().requires_grad_() for each in ctx.saved_tensors]
        with torch.enable_grad():
            q, k, v, S, z = given
            q, k = torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1
            A = torch.tril(q @ k.mT)
            rows = (A @ v + q @ S) / (A.sum(-1, keepdim=True) + q @ z[..., None])
            return torch.autograd.grad((rows, S + k.mT @ v, z + k.sum(-2)), given, arriving)


def linear_attention(queries, keys, values, state=None):
    if state is None:
        state = keys.new_zeros(*keys.shape[:-2], keys.shape[-1], values.shape[-1]), torch.zeros_like(keys[..., 0, :])
    output, *state = Attention.apply(queries, keys, values, *state)
    return output, tuple(state)
