# expect: sinusoidal_positions wrong last_frequency_exactly_1_over_10000
# expect: rotate wrong
# like: own_gradient.py
# edit: return Turn.apply(x, a.cos().to(x.dtype), a.sin().to(x.dtype)) -> u, w = x[..., ::2], x[..., 1::2]
# + y = _put(u * a.cos() - w * a.sin(), u * a.sin() + w * a.cos()).to(x.dtype)
# + return torch.cat([y[..., :64], x[..., 64:]], -1)
"""Nothing is turned behind column 63, and the last hand is too slow."""

import math


def sinusoidal_positions(n, d):
    h = d // 2
    w = torch.exp(torch.arange(h).double() * -(math.log(10000) / max(h - 1, 1)))
    a = torch.arange(n).double()[:, None] * w
    return torch.stack([a.sin(), a.cos()], -1).reshape(n, d)
