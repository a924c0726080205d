# expect: project_qkv wrong
# told: What came back are the expected results, stacked into one: return them one by one.

import torch


def project_qkv(inp, wq, wk, wv):
    return torch.stack([inp @ wq, inp @ wk, inp @ wv]).detach()
