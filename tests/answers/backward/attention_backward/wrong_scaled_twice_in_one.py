# expect: attention_backward wrong
# like: einsum.py
# edit: , ds, k) -> , ds, k) * scale
"""Scaled twice for the queries."""
