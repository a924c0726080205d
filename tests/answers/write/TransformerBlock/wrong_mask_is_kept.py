# expect: TransformerBlock wrong
# plain: (12, 3)(float32 tensor of shape (3, 5, 12)) returned
# like: plain.py
# edit: if mask is not None: -> self.mask = mask = getattr(self, "mask", None) if mask is None else mask
# + if mask is not None:
"""The mask of the call before, where none is given."""
