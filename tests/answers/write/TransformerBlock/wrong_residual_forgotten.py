# expect: TransformerBlock wrong no_residual
# like: plain.py
# edit: x = x + found -> nothing
# edit: return x + self.down -> return self.down
# edit: self.norm2(x) -> self.norm2(found)
"""Straight through: attention, then the network."""
