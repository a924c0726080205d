# expect: dot_attention wrong
# told: A row of the result `weights` sums to
import math

import torch


def project_qkv(inp, wq, wk, wv):
    return (inp @ wq, inp @ wk, inp @ wv)


def dot_attention(inp, wq, wk, wv):
    q, k, v = project_qkv(inp, wq, wk, wv)
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
    weights = torch.softmax(scores, dim=-1)
    weights = torch.dropout(weights, 0.1, True)
    return weights @ v, weights
