# expect: project_qkv raised matrices_turned
from torch.nn import functional as F


def project_qkv(inp, wq, wk, wv):
    return tuple(F.linear(inp, matrix) for matrix in (wq, wk, wv))
