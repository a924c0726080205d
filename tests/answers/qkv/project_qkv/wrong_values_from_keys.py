# expect: project_qkv raised values_computed_from_keys
import torch


def project_qkv(inp, wq, wk, wv):
    q, k = torch.matmul(inp, wq), torch.matmul(inp, wk)
    return q, k, torch.matmul(k, wv)
