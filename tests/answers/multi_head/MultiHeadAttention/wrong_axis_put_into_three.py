# expect: MultiHeadAttention wrong
# like: ../einsum.py
# edit: if mask is not None: -> if mask is not None:
# +     if mask.dim() == 3 and mask.shape[1] != 1:
# +         mask = mask.unsqueeze(1)
"""A mask of its own for each head, without a batch axis, meets batch and heads one axis too far to the left."""
