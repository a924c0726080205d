# expect: TransformerBlock wrong unrotated_keys_cached
# like: wrong_mask_always_made.py
"""The cache holds keys as they were projected; all are rotated when they are used."""


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x, mask=None, cache=None, start=0):
        y = self.norm1(x)
        q, k, v = (f(y).unflatten(-1, (self.h, -1)).transpose(-3, -2) for f in (self.Wq, self.Wk, self.Wv))
        q = rotate(q, torch.arange(start, start + x.shape[-2]))
        if cache is not None:
            k, v = cache.append(k, v)
        first = start + x.shape[-2] - k.shape[-2]
        k = rotate(k, torch.arange(first, first + k.shape[-2]))
        s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask, -math.inf)
        w = s.softmax(-1)
        found = self.Wo((w @ v).transpose(-3, -2).flatten(-2))
        x = x + found
        return x + self.down(F.gelu(self.up(self.norm2(x)))), w
