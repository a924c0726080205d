# expect: all passed
"""Annotated in a modern way, with optional parameters of its own, and results with names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Attention(NamedTuple):
    context: NDArray[np.float64]
    weights: NDArray[np.float64]


@dataclass
class Config:
    dtype: type = float


def single_dot_attention_score(query: ArrayLike, key: ArrayLike, /, *, config: Config | None = None) -> float:
    return sum((config or Config()).dtype(q * k) for q, k in zip(query, key, strict=True))


def dot_attention_score(query: ArrayLike, keys: ArrayLike, scale: float = 1.0) -> NDArray[np.float64]:
    return scale * np.array([single_dot_attention_score(query, key) for key in np.transpose(keys)])


def normalize_by_sum(scores: ArrayLike, axis: int = 0) -> NDArray[np.float64]:
    return np.asarray(scores) / np.sum(scores, axis)


def softmax(scores: ArrayLike, axis: int | None = None, **options: float) -> NDArray[np.float64]:
    x: NDArray[np.float64] = np.asarray(scores, dtype=np.float64)
    return np.exp(x - np.max(x, axis)) / np.exp(x - np.max(x, axis)).sum(axis)


def apply_attention_scores(weights: ArrayLike, values: ArrayLike, *more: ArrayLike) -> NDArray[np.float64]:
    return np.stack([w * np.asarray(v, float) for w, v in zip(weights, np.transpose(values), strict=True)], axis=-1)


def calculate_attention_vector(applied: ArrayLike) -> NDArray[np.float64]:
    return np.apply_along_axis(np.sum, 1, applied)


def attend(query: ArrayLike, values: ArrayLike) -> Attention:
    weights = softmax(dot_attention_score(query, values))
    return Attention(calculate_attention_vector(apply_attention_scores(weights, values)), weights)
