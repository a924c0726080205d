# expect: TransformerBlock wrong
# like: plain.py
# edit: w = s.softmax(-1) -> w = s.float().softmax(-1).to(s.dtype)
"""Weights in single precision."""
