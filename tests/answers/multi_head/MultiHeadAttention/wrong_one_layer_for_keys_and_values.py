# expect: MultiHeadAttention wrong
# like: two_helpers.py
# edit: self.Wv = nn.Linear(d_model, d_model) -> self.Wv = self.Wk
"""One layer under two names."""
