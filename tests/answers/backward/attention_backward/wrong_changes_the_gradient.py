# expect: attention_backward wrong
# like: einsum.py
# edit: p = s.softmax(dim=-1) -> p = s.softmax(dim=-1)
# + grad_output *= scale
# edit: ds = ds * scale -> dv = dv / scale
"""Changes grad_output."""
