# expect: TransformerBlock wrong positions_begin_at_zero
# like: plain.py
# edit: p = torch.arange(start, start + x.shape[-2]) -> p = torch.arange(x.shape[-2])
"""Positions of the new tokens are counted from 0 in each call."""
