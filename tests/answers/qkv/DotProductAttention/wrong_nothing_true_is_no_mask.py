# expect: DotProductAttention wrong all_false_mask_ignored
# like: ../einsum.py
# edit: if seen is not None: -> if seen is not None and seen.any():
