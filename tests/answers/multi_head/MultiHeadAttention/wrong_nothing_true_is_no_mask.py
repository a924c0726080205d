# expect: MultiHeadAttention wrong nothing_true_is_no_mask
# like: ../einsum.py
# edit: if mask is not None: -> if mask is not None and mask.any():
