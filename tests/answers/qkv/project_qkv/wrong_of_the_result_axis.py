# expect: project_qkv wrong
# plain: returned shape (2, 6) for q, expected shape (6, 2)

import torch


def project_qkv(inp, wq, wk, wv):
    qkv = inp @ torch.cat([wq, wk, wv], dim=1)
    return qkv.chunk(3, dim=0)
