# expect: attention_backward wrong
# told: Only the first digits of the result `grad_k` are correct.
# like: einsum.py
# edit: p = s.softmax(dim=-1) -> p = s.softmax(dim=-1, dtype=torch.float32).to(s.dtype)
"""Single precision in the middle."""
