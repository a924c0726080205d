# expect: attention_backward wrong
# told: Where grad_k belongs stands grad_q
# like: einsum.py
# edit: dk = torch.einsum("...ij,...id->...jd", ds, q) -> dk = torch.einsum("...ij,...jd->...id", ds, k)
"""Grad_k with k."""
