# expect: TrainableAttention wrong
# told: What came back is right for Wk in place of Wv.
# like: plain.py
# edit: self.Wv(values -> self.Wk(values
"""Values are made by the layer for keys."""
