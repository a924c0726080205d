# expect: project_qkv wrong
# told: You return the expected results as one array.

import torch


def project_qkv(inp, wq, wk, wv):
    return torch.stack([inp @ wq, inp @ wk, inp @ wv]).detach()
