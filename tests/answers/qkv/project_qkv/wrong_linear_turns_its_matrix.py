# expect: project_qkv raised matrices_transposed_in_the_product
from torch.nn import functional


def project_qkv(inp, wq, wk, wv):
    return tuple(functional.linear(inp, matrix) for matrix in (wq, wk, wv))
