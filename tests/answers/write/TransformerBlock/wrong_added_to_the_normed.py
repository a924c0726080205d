# expect: TransformerBlock wrong residual_of_the_normed
# like: plain.py
# edit: y = self.norm1(x) -> x = y = self.norm1(x)
"""x is overwritten by its norm."""
