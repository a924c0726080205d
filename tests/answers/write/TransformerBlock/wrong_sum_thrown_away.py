# expect: TransformerBlock wrong network_not_used
# like: plain.py
# edit: return x + self.down(F.gelu(self.up(self.norm2(x)))), w -> x + self.down(F.gelu(self.up(self.norm2(x))))
# + return x, w
"""The network is asked, and its answer goes nowhere."""
