# expect: MultiHeadAttention wrong
# plain: for output, expected
# like: two_helpers.py
# edit: k = self.split(self.Wk(keys)) -> k = self.split(self.Wv(keys))
# + v = self.split(self.Wk(values))
# edit: v = self.split(self.Wv(values)) -> nothing
"""Keys and values in the wrong layer order."""
