"""Pictures of digits with 8 by 8 pixels, as drawn by an unsteady hand: no two are the same."""

import numpy as np
from numpy.typing import ArrayLike

SIZE = 8  # pixels on each side
_PEN = 0.09  # share of the picture's side

# The corners of each digit's lines, from (0, 0) at the top left to (1, 1) at the bottom right.
_STROKES = (
    [(0.5, 0), (0.1, 0.25), (0.1, 0.75), (0.5, 1), (0.9, 0.75), (0.9, 0.25), (0.5, 0)],
    [(0.2, 0.25), (0.55, 0), (0.55, 1)],
    [(0.1, 0.2), (0.5, 0), (0.9, 0.25), (0.1, 1), (0.9, 1)],
    [(0.1, 0.05), (0.85, 0.05), (0.45, 0.4), (0.9, 0.7), (0.5, 1), (0.1, 0.9)],
    [(0.7, 1), (0.7, 0), (0.1, 0.65), (0.95, 0.65)],
    [(0.85, 0), (0.2, 0), (0.15, 0.45), (0.6, 0.4), (0.9, 0.7), (0.5, 1), (0.1, 0.9)],
    [(0.75, 0), (0.2, 0.45), (0.15, 0.8), (0.5, 1), (0.85, 0.75), (0.5, 0.5), (0.2, 0.65)],
    [(0.1, 0), (0.9, 0), (0.4, 1)],
    [(0.5, 0.45), (0.15, 0.22), (0.5, 0), (0.85, 0.22), (0.5, 0.45), (0.1, 0.75), (0.5, 1), (0.9, 0.75), (0.5, 0.45)],
    [(0.85, 0.35), (0.5, 0.5), (0.15, 0.25), (0.5, 0), (0.85, 0.2), (0.8, 0.6), (0.5, 1)],
)


def draw_digits(digits: ArrayLike, seed: int) -> np.ndarray:
    """Return a picture of each digit, shape (*digits.shape, 8, 8), from 0 (paper) to 1 (ink)."""
    rng, digits = np.random.default_rng(seed), np.asarray(digits)
    return np.array([_draw(digit, rng) for digit in digits.flat], dtype=np.float32).reshape(*digits.shape, SIZE, SIZE)


def _draw(digit: int, rng: np.random.Generator) -> np.ndarray:
    corners = np.array(_STROKES[digit]) - 0.5
    corners += rng.normal(scale=0.03, size=corners.shape)  # The hand is unsteady.
    slant, width, height = rng.normal(scale=0.12), rng.uniform(0.5, 0.7), rng.uniform(0.65, 0.8)
    corners = corners * [width, height] - np.outer(corners[:, 1], [slant, 0]) + 0.5 + rng.normal(scale=0.03, size=2)
    starts, lines = corners[:-1], np.diff(corners, axis=0)
    across = (np.arange(SIZE) + 0.5) / SIZE
    pixels = np.stack(np.meshgrid(across, across), axis=-1)[:, :, None]  # (8, 8, 1, 2), x before y
    along = np.clip(((pixels - starts) * lines).sum(-1) / (lines**2).sum(-1), 0, 1)  # place on each line, from 0 to 1
    distances = np.linalg.norm(pixels - starts - along[..., None] * lines, axis=-1).min(axis=-1)
    return np.clip(1.5 - distances / _PEN, 0, 1)
