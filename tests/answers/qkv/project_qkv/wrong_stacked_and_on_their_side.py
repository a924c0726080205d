# expect: project_qkv wrong
# plain: returned one tensor of shape (3, 2, 6), expected 3 results


import torch


def project_qkv(inp, wq, wk, wv):
    return torch.stack([torch.mm(w.T, inp.T) for w in (wq, wk, wv)])
