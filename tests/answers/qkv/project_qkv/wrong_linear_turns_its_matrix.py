# expect: project_qkv raised
# told: `linear` multiplies by the matrix transposed, so the last axes of both have to be equal: here 4 and 2.
from torch.nn import functional


def project_qkv(inp, wq, wk, wv):
    return tuple(functional.linear(inp, matrix) for matrix in (wq, wk, wv))
