# expect: project_qkv wrong split_along_the_tokens

import torch


def project_qkv(inp, wq, wk, wv):
    qkv = inp @ torch.cat([wq, wk, wv], dim=1)
    return qkv.chunk(3, dim=0)
