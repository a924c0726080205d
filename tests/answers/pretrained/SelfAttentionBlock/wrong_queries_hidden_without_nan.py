# expect: SelfAttentionBlock wrong queries_hidden_with_zero_weights
# like: unflattened.py
# edit: mask = is_word[..., None, None, :] -> mask = is_word[..., None, :, None]
# edit: w = torch.softmax(s, dim=-1) -> w = torch.softmax(s, dim=-1).masked_fill(~mask, 0)
"""Mask on the queries, and a row that may attend to nothing has weights of 0."""
