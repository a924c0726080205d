# expect: TrainableAttention wrong
# told: The numbers in `attn_matrix` are correct in every call, but those in `attn_output` are not.
# like: plain.py
# edit: self.Wv(values -> self.Wk(values
"""Values are made by the layer for keys."""
