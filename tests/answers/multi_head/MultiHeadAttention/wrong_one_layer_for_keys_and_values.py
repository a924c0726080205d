# expect: MultiHeadAttention wrong
# like: two_helpers.py
# told: One and the same parameter serves as `Wk.weight` and `Wv.weight`
# edit: self.Wv = nn.Linear(d_model, d_model) -> self.Wv = self.Wk
"""One layer under two names."""
