# expect: TransformerBlock wrong unrotated_keys_cached
# like: plain.py
# edit: p = torch.arange(start, start + x.shape[-2]) -> q = rotate(q, torch.arange(start, start + x.shape[-2]))
# edit: q, k = rotate(q, p), rotate(k, p) -> nothing
# edit: s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) -> first = start + x.shape[-2] - k.shape[-2]
# + k = rotate(k, torch.arange(first, first + k.shape[-2]))
# + s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
"""The cache holds keys as they were projected; all are rotated when they are used."""
