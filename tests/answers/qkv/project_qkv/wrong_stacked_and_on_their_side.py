# expect: project_qkv wrong
# told: the expected results, each transposed, stacked into one


import torch


def project_qkv(inp, wq, wk, wv):
    return torch.stack([torch.mm(w.T, inp.T) for w in (wq, wk, wv)])
