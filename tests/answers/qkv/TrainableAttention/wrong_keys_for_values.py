# expect: TrainableAttention wrong
# told: Your result is what you get if you use `Wk` instead of `Wv`.
# like: plain.py
# edit: self.Wv(values -> self.Wk(values
"""Values are made by the layer for keys."""
