# expect: SelfAttentionBlock wrong scores_of_padding_set_to_zero
# like: unflattened.py
# edit: -1e30 -> 1e-9
"""1e-9 for -1e9."""
