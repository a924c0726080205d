# expect: TransformerBlock wrong residual_from_normalised_input
# like: plain.py
# edit: y = self.norm1(x) -> x = y = self.norm1(x)
"""x is overwritten by its norm."""
