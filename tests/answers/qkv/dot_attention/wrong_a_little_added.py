# expect: dot_attention wrong
# plain: The result is almost correct
import math

import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = exponentials / (exponentials.sum(dim=-1, keepdim=True) + 1e-6)
    return weights @ v, weights
