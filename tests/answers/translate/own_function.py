# expect: all passed
"""An autograd.Function for softmax; scatter for the shift."""

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        w = (x - x.max(dim=-1, keepdim=True).values).exp()
        w = w / w.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return w * (g - (w * g).sum(dim=-1, keepdim=True))


def shift_right(targets, start):
    result = torch.empty_like(targets).fill_(start)
    result[..., 1:].copy_(targets[..., :-1])
    return result


def cross_attention(queries, keys, values):
    weights = Softmax.apply(
        torch.tensordot(queries, torch.eye(queries.shape[-1], dtype=queries.dtype), 1)
        @ keys.mT
        / queries.shape[-1] ** 0.5
    )
    return weights.matmul(values), weights
