# expect: GroupedQueryAttention wrong
# like: by_index.py
# edit: scores = scores.masked_fill(~mask, -torch.inf) -> scores = scores.masked_fill(~mask, -10.0)
"""Float mask fill that is too small."""
