# expect: MultiHeadAttention wrong
# like: two_helpers.py
# edit: self.Wo = nn.Linear(d_model, d_model) -> self.Wo = nn.Linear(d_model, d_model)
# + self.first = self.Wo.weight.detach().clone()
# edit: self.Wo(merged) -> merged @ self.first.T.to(merged.dtype) + self.Wo.bias
"""Remembers the weights it was made with."""
