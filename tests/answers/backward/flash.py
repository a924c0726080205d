# expect: all passed
"""The average of a row from the output, as FlashAttention does it; bmm over flattened batches."""

import torch
import torch.nn.functional as F


def softmax_backward(weights, grad):
    average = torch.matmul(weights.unsqueeze(-2), grad.unsqueeze(-1)).squeeze(-1)
    return weights * grad - weights * average


def attention_backward(q, k, v, grad_output):
    q3, k3, v3, g3 = (x.flatten(0, -3) if x.dim() > 2 else x.unsqueeze(0) for x in (q, k, v, grad_output))
    scale = 1.0 / float(q.shape[-1]) ** 0.5
    output = F.scaled_dot_product_attention(q3, k3, v3)
    p = F.softmax(torch.bmm(q3 * scale, k3.transpose(1, 2)), dim=2)
    dp = torch.bmm(g3, v3.transpose(1, 2))
    row = (g3 * output).sum(dim=2, keepdim=True)
    ds = p * (dp - row) * scale
    dq, dk, dv = torch.bmm(ds, k3), torch.bmm(ds.transpose(1, 2), q3), torch.bmm(p.transpose(1, 2), g3)
    return dq.reshape(q.shape), dk.reshape(k.shape), dv.reshape(v.shape)
