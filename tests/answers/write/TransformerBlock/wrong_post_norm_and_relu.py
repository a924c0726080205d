# expect: TransformerBlock wrong post_norm_and_relu
# like: plain.py
# edit: y = self.norm1(x) -> y = x
# edit: x = x + found -> x = self.norm1(x + found)
# edit: return x + self.down(F.gelu(self.up(self.norm2(x)))), w -> x = x + self.down(F.relu(self.up(x)))
# + return self.norm2(x), w
"""The first row of the weights is 1, 0, 0 whatever is done: that it is right is not worth a word."""
