# expect: attention_backward wrong
# told: are correct in every call, but those in `grad_k` are not.
# like: einsum.py
# edit: dk = torch.einsum("...ij,...id->...jd", ds, q) -> dk = torch.einsum("...ij,...jd->...id", ds, k)
"""Grad_k with k."""
