# expect: MultiHeadAttention raised
# like: two_helpers.py
# edit: self.h = num_heads -> type(self).h = num_heads
"""Heads kept on the class: the last module decides."""
