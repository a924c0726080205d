# expect: SelfAttentionBlock passed
# like: unflattened.py
# edit: -1e30 -> -1e4
"""A fill of any kind will do."""
