# expect: DotProductAttention wrong nothing_true_is_no_mask
# like: ../einsum.py
# edit: if seen is not None: -> if seen is not None and seen.any():
