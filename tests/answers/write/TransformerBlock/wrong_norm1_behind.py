# expect: TransformerBlock wrong norm1_after_the_first_sum
# like: plain.py
# edit: y = self.norm1(x) -> y = x
# edit: x = x + found -> x = self.norm1(x + found)
"""One norm behind its sum, the other in front."""
