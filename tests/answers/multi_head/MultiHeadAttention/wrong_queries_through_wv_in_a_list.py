# expect: MultiHeadAttention wrong
# told: Your result is what you get if you use `Wv` instead of `Wq`.
# like: ../einsum.py
# edit: (self.Wq, q), -> (self.Wv, q),
"""The results come in a list."""
