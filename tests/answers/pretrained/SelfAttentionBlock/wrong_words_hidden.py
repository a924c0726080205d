# expect: SelfAttentionBlock wrong words_hidden_by_a_large_number
# like: unflattened.py
# edit: mask = is_word[..., None, None, :] -> mask = ~is_word[..., None, None, :]
"""Inverted."""
