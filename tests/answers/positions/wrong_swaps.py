# expect: sinusoidal_positions wrong sine_and_cosine_swapped
# expect: rotate wrong sine_and_cosine_swapped
# like: own_gradient.py
# edit: return Turn.apply(x, a.cos().to(x.dtype), a.sin().to(x.dtype)) -> u, w = x[..., ::2], x[..., 1::2]
# + return _put(u * a.sin() - w * a.cos(), u * a.cos() + w * a.sin()).to(x.dtype)
"""Sines and cosines in each other's place."""


def sinusoidal_positions(n, d):
    a = torch.arange(n).double()[:, None] / 10000 ** (torch.arange(0, d, 2).double() / d)
    return torch.stack([a.cos(), a.sin()], -1).reshape(n, d)
