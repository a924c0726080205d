# expect: all passed
"""Work in place, on tensors made here; no graph is recorded."""

import torch


@torch.no_grad()
def softmax_backward(weights, grad):
    result = grad.clone()
    result.sub_(torch.sum(weights * grad, dim=-1, keepdim=True))
    result.mul_(weights)
    return result


@torch.no_grad()
def attention_backward(q, k, v, grad_output):
    scale = q.size(-1) ** -0.5
    weights = torch.matmul(q, k.transpose(-1, -2)).mul_(scale)
    weights.sub_(weights.amax(dim=-1, keepdim=True)).exp_()
    weights.div_(weights.sum(dim=-1, keepdim=True))
    grad_v = torch.matmul(weights.transpose(-1, -2), grad_output)
    grad_scores = torch.matmul(grad_output, v.transpose(-1, -2))
    grad_scores -= (grad_scores * weights).sum(dim=-1, keepdim=True)
    grad_scores *= weights
    grad_scores *= scale
    return torch.matmul(grad_scores, k), torch.matmul(grad_scores.transpose(-1, -2), q), grad_v
