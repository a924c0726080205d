# expect: MultiHeadAttention wrong all_false_mask_ignored
# like: ../einsum.py
# edit: if mask is not None: -> if mask is not None and mask.any():
