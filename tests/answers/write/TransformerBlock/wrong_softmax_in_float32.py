# expect: TransformerBlock wrong
# told: is right to its first three digits and no further
# like: plain.py
# edit: w = s.softmax(-1) -> w = s.softmax(-1, dtype=torch.float32).to(s.dtype)
"""Single precision in the middle."""
