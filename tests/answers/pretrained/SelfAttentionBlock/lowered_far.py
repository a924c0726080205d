# expect: SelfAttentionBlock passed
# like: unflattened.py
# edit: s = s.masked_fill(~mask, -1e30) -> s = s + (1.0 - mask.to(s.dtype)) * torch.finfo(s.dtype).min
"""Added in place of filled."""
