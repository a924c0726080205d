# expect: project_qkv raised matrices_transposed_in_the_product
"""The same as `functional.linear`, with `einsum`."""

import torch


def project_qkv(inp, wq, wk, wv):
    return tuple(torch.einsum("...i,oi->...o", inp, matrix) for matrix in (wq, wk, wv))
