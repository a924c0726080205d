# expect: dot_attention wrong
# told: Only the first digits of the result `output` are correct.

import torch


def project_qkv(inp, wq, wk, wv):
    return (inp @ wq, inp @ wk, inp @ wv)


def dot_attention(inp, wq, wk, wv):
    q, k, v = project_qkv(inp, wq, wk, wv)
    scores = q @ k.transpose(-2, -1) / torch.sqrt(torch.tensor(k.size(-1), dtype=torch.float16))
    weights = torch.softmax(scores.half(), dim=-1).to(v.dtype)
    return weights @ v, weights
