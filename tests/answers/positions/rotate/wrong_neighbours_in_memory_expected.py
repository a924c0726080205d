# expect: rotate raised
# plain: Tensor must have a last dimension with stride 1
import torch


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    angles = torch.outer(positions.double(), base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d))
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2).to(x.dtype)
