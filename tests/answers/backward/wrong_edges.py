# expect: softmax_backward wrong
# expect: attention_backward wrong
"""Right for weights that are not 0, and for moderate scores."""

import torch


def softmax_backward(weights, grad):
    gain = grad - (weights * grad).sum(dim=-1, keepdim=True)
    return (weights.log() + gain.abs().log()).exp() * gain.sign() + 1e-3 * (weights == 0)


def attention_backward(q, k, v, grad_output):
    scale = q.shape[-1] ** 0.5
    weights = torch.softmax((q @ k.mT / scale).clamp(-50, 50), dim=-1)
    dw = grad_output @ v.mT
    ds = weights * (dw - (weights * dw).sum(-1, keepdim=True)) / scale
    return ds @ k, ds.mT @ q, weights.mT @ grad_output
