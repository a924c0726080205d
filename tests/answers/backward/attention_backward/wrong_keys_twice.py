# expect: attention_backward wrong
# told: You return `grad_q` where `grad_k` is expected.
# like: einsum.py
# edit: dk = torch.einsum("...ij,...id->...jd", ds, q) -> dk = torch.einsum("...ij,...jd->...id", ds, k)
"""Grad_k with k."""
