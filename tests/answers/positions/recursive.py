# expect: all passed
# like: own_gradient.py
# edit: def rotate(x, positions, base=10000.0): -> def rotate(x, positions, base=10000.0):
# +     if x.dim() > 2:
# +         return torch.stack([rotate(y, positions, base) for y in x])
# edit: return Turn.apply(x, a.cos().to(x.dtype), a.sin().to(x.dtype)) -> e, o = x[:, ::2], x[:, 1::2]
# + return _put(e * a.cos() - o * a.sin(), e * a.sin() + o * a.cos()).to(x.dtype)
"""Each place from the one before it by the sums of angles, and batches taken apart one by one."""


def sinusoidal_positions(n, d):
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    s, c = torch.zeros(d // 2, dtype=torch.float64), torch.ones(d // 2, dtype=torch.float64)
    out = []
    for _ in range(n):
        out.append(torch.stack([s, c], 1).ravel())
        s, c = s * w.cos() + c * w.sin(), c * w.cos() - s * w.sin()
    return torch.stack(out)
