# expect: dot_attention wrong
import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = (inp.float() @ matrix.float() for matrix in (wq, wk, wv))
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
    return (weights @ v).to(inp.dtype), weights.to(inp.dtype)
