# expect: TransformerBlock wrong
# like: plain.py
# edit: p = torch.arange(start, start + x.shape[-2]) -> start = getattr(self, "seen", 0) if cache is not None else start
# + self.seen = start + x.shape[-2]
# + p = torch.arange(start, start + x.shape[-2])
"""How many tokens came before is counted in the block, which never forgets."""
