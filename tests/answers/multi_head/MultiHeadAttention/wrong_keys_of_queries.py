# expect: MultiHeadAttention raised
# like: two_helpers.py
# edit: k = self.split(self.Wk(keys)) -> k = self.split(self.Wk(queries))
"""Self-attention: keys from the queries."""
