# expect: all passed
"""Type hints, other names, a small class, and the angle sum in place of a subtraction."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Clock:
    hands: int
    base: float = 10000.0

    def angles(self, times: Tensor) -> Tensor:
        exponents = torch.linspace(0, 1, self.hands + 1, dtype=torch.float64)[:-1]
        return times.double().unsqueeze(-1) / self.base**exponents


def sinusoidal_positions(num_places: int, width: int) -> Tensor:
    angles = Clock(width // 2).angles(torch.arange(num_places))
    # The cosine is the sine a quarter of a turn later.
    quarter = torch.tensor([0.0, torch.pi / 2], dtype=torch.float64)
    return (angles.unsqueeze(-1) + quarter).sin().reshape(num_places, width).float()


def rotate(rows: Tensor, places: Tensor, speed_base: float = 10000.0) -> Tensor:
    *batch, n, width = rows.shape
    angles = Clock(width // 2, speed_base).angles(places).to(rows.device)
    pairs = rows.reshape(*batch, n, width // 2, 2)
    crossed = torch.stack([-pairs[..., 1], pairs[..., 0]], dim=-1)
    cos, sin = (wave.unsqueeze(-1).to(rows.dtype) for wave in (angles.cos(), angles.sin()))
    return torch.addcmul(pairs * cos, crossed, sin).view(*batch, n, width)
