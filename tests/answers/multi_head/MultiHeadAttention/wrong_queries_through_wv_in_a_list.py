# expect: MultiHeadAttention wrong
# told: The result would be correct for `Wv` instead of `Wq`.
# like: ../einsum.py
# edit: (self.Wq, q), -> (self.Wv, q),
"""The results come in a list."""
