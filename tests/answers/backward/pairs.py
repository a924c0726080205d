# expect: all passed
"""Differences of all pairs; keys in blocks, as a named tuple."""

import math
from collections import namedtuple

import torch


def sm(q, k):
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)


def softmax_backward(weights, grad):
    d = grad[..., :, None] - grad[..., None, :]
    return weights * (d * weights[..., None, :]).sum(-1)


Grads = namedtuple("Grads", "q k v")


def attention_backward(q, k, v, grad_output):
    w = sm(q, k)
    o = w @ v
    D = torch.linalg.vecdot(grad_output, o).unsqueeze(-1)
    gq, gk, gv = 0, [], []
    for kb, vb, wb in zip(k.split(2, -2), v.split(2, -2), w.split(2, -1), strict=False):
        gs = wb * (grad_output @ vb.mT - D) / math.sqrt(q.shape[-1])
        gq = gq + gs @ kb
        gk.append(gs.mT @ q)
        gv.append(wb.mT @ grad_output)
    return Grads(gq, torch.cat(gk, -2), torch.cat(gv, -2))
