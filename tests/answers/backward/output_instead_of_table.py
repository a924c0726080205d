# expect: all passed
"""FlashAttention: the row averages come from output and its gradient, in blocks of three keys."""

import torch


def softmax_backward(weights, grad):
    jacobians = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobians @ grad.unsqueeze(-1)).squeeze(-1)


def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    logs, output = None, 0
    for K, V in zip(k.split(3, -2), v.split(3, -2)):
        s = q @ K.mT / d**0.5
        here = s.logsumexp(-1, keepdim=True)
        new = here if logs is None else torch.logaddexp(logs, here)
        output = torch.exp(s - new) @ V + (0 if logs is None else output * torch.exp(logs - new))
        logs = new
    average = (output * grad_output).sum(-1, keepdim=True)
    grad_q, grad_k, grad_v = torch.zeros_like(q), [], []
    for K, V in zip(k.split(3, -2), v.split(3, -2)):
        p = torch.exp(q @ K.mT / d**0.5 - logs)
        grad_v.append(p.mT @ grad_output)
        s = p * (grad_output @ V.mT - average) / d**0.5
        grad_q = grad_q + s @ K
        grad_k.append(s.mT @ q)
    return grad_q, torch.cat(grad_k, -2), torch.cat(grad_v, -2)
