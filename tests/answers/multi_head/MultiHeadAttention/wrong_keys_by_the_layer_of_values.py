# expect: MultiHeadAttention wrong
# told: Your result is what you get if you swap `Wk` and `Wv`.
# like: two_helpers.py
# edit: k = self.split(self.Wk(keys)) -> k = self.split(self.Wv(keys))
# + v = self.split(self.Wk(values))
# edit: v = self.split(self.Wv(values)) -> nothing
"""Keys and values in the wrong layer order."""
