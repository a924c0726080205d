# expect: MultiHeadAttention wrong
# told: This call is correct when it runs first, but earlier calls change its result.
# like: ../einsum.py
# edit: self.heads = heads -> self.heads, self.mask = heads, None
# edit: if mask is not None: -> if mask is not None:
# +     self.mask = mask
# + if (mask := self.mask) is not None:
"""The mask of an earlier call stays."""
