# expect: TransformerBlock wrong gelu_approximated_by_tanh
# like: plain.py
# edit: return x + self.down(F.gelu(self.up(self.norm2(x)))), w -> z = self.up(self.norm2(x))
# + z = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
# + return x + self.down(z), w
"""The formula with tanh, typed from memory."""
