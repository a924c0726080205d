# expect: project_qkv wrong

import torch


def project_qkv(inp, wq, wk, wv):
    return torch.stack([inp @ wq, inp @ wk, inp @ wv]).detach()
