# expect: TrainableAttention wrong
# told: The result would be correct for `Wk` instead of `Wv`.
# like: plain.py
# edit: self.Wv(values -> self.Wk(values
"""Values are made by the layer for keys."""
