# expect: GroupedQueryAttention wrong mask_kept_from_an_earlier_call
# like: by_index.py
# edit: self.d_h = d_model // num_heads -> self.d_h, self.mask = d_model // num_heads, None
# edit: if mask is not None: -> self.mask = self.mask if mask is None else mask
# + if self.mask is not None:
# edit: scores.masked_fill(~mask, -torch.inf) -> scores.where(self.mask, torch.finfo(scores.dtype).min)
"""The mask of the last call that had one."""
