# expect: MultiHeadAttention wrong
# told: What came back is right for Wv in place of Wq.
# like: ../einsum.py
# edit: (self.Wq, q), -> (self.Wv, q),
"""The results come in a list."""
