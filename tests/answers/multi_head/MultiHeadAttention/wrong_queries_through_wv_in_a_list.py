# expect: MultiHeadAttention wrong
# plain: for output, expected
# like: ../einsum.py
# edit: (self.Wq, q), -> (self.Wv, q),
"""The results come in a list."""
