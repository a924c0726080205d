# expect: project_qkv raised matrices_transposed_in_the_product
from torch.nn import functional as F


def project_qkv(inp, wq, wk, wv):
    return tuple(F.linear(inp, matrix) for matrix in (wq, wk, wv))
