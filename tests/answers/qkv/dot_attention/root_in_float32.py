# expect: dot_attention passed
import torch


def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.softmax(q @ k.mT / torch.sqrt(torch.tensor(k.shape[-1])), dim=-1)
    return weights @ v, weights
