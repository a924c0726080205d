# expect: attention_backward wrong
# told: is right to its first digits and no further
# like: einsum.py
# edit: p = s.softmax(dim=-1) -> p = s.softmax(dim=-1, dtype=torch.float32).to(s.dtype)
"""Single precision in the middle."""
