# expect: SelfAttentionBlock wrong scores_of_padding_lowered_by_10000
# like: unflattened.py
# edit: s = s.masked_fill(~mask, -1e30) -> s = s + (1.0 - mask.to(s.dtype)) * -10000.0
"""As in BERT's first code."""
