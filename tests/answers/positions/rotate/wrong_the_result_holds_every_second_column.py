# expect: rotate wrong imaginary_parts_discarded

import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    freqs = torch.outer(positions.double(), speeds)
    cis = torch.polar(torch.ones_like(freqs), freqs)
    xc = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2))
    return (xc * cis).to(x.dtype)
