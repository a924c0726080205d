# expect: attention_backward passed
"""One sum a line."""

import torch


def attention_backward(q, k, v, grad_output):
    scale = q.shape[-1] ** -0.5
    s = torch.einsum("...id,...jd->...ij", q, k) * scale
    p = s.softmax(dim=-1)
    dv = torch.einsum("...ij,...iv->...jv", p, grad_output)
    dp = torch.einsum("...iv,...jv->...ij", grad_output, v)
    ds = p * (dp - (dp * p).sum(dim=-1, keepdim=True))
    ds = ds * scale
    dq = torch.einsum("...ij,...jd->...id", ds, k)
    dk = torch.einsum("...ij,...id->...jd", ds, q)
    return dq, dk, dv
