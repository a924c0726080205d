# expect: split_heads wrong
# expect: merge_heads wrong
# expect: ConcatMultiHeadAttention wrong
# expect: MultiHeadAttention wrong
# like: wrong_unfinished.py
"""Axes of length 1 squeezed away, results kept from one call to the next, a state that does not travel."""


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2).squeeze()


_kept = {}


def merge_heads(x):
    merged = x.transpose(-3, -2).flatten(-2)
    return _kept.setdefault(merged.shape, torch.empty_like(merged)).copy_(merged)


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k))
        self.bias = nn.Parameter(torch.zeros(d_k))  # one too many: nobody else's weights have it

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return torch.cat(outputs, dim=-1) @ self.out + self.bias, torch.stack(weights, dim=-3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.mask = None

    def forward(self, queries, keys, values, mask=None):
        self.mask = mask if mask is not None else self.mask  # the mask of an earlier call stays in force
        heads = (
            (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2))
            for layer, x in ((self.Wq, queries), (self.Wk, keys), (self.Wv, values))
        )
        q, k, v = heads
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask, -1e30)
        weights = scores.softmax(dim=-1)
        if self.mask is not None:
            weights = weights * self.mask
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
