"""Clauses on how a wrong array is related to the expected one, and the rules that find them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np

from autograder.judging.values.same import DIAGNOSIS_RTOL


class Strength(Enum):
    """How much has to bear a clause out before it is said."""

    WEAK = "another wrong call in which it holds"
    ALONE = "the same, unless no other call is wrong"
    PLACE = "one call of many different numbers; what is known of another result says more"
    STRONG = "one call of many different numbers"
    PLAIN = "one call: a dtype is no coincidence, however few the numbers are"


@dataclass(frozen=True)
class Clause:
    """What can be said of a result, with ``{it}`` in its place.

    Its key is what has to hold in another call for the clause to hold there: a number in it may be another one.
    """

    text: str
    key: str = ""
    strength: Strength = Strength.STRONG

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", self.key or self.text)


Clauses = Iterator[Clause]


@dataclass(frozen=True)
class Pair:
    """An array that came back, the expected one, and the arguments that are arrays."""

    got: np.ndarray
    expected: np.ndarray
    arguments: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def has_booleans(self) -> bool:
        return bool in (self.got.dtype, self.expected.dtype)

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.got).all() and np.isfinite(self.expected).all())


class Example(NamedTuple):
    """Two arrays of which a rule says so; what every rule is tested with."""

    got: object
    expected: object
    text: str
    arguments: dict[str, object] = {}  # noqa: RUF012  (nobody writes to it)


@dataclass(frozen=True, eq=False)
class Rule:
    """Finds clauses that hold of two arrays; each is true wherever it is found, and may be a coincidence."""

    find: Callable[[Pair], Clauses]
    examples: tuple[Example, ...]
    of_booleans: bool

    def __call__(self, pair: Pair) -> Clauses:
        return self.find(pair) if self.of_booleans or not pair.has_booleans else iter(())


def rule(*examples: Example, of_booleans: bool = False) -> Callable[[Callable[[Pair], Clauses]], Rule]:
    """Make a rule of a function; most say nothing of Booleans."""
    return lambda find: Rule(find, examples, of_booleans)


def is_telling(array: np.ndarray) -> bool:
    """Whether it holds so many different numbers that no clause on it is a coincidence."""
    finite = array[np.isfinite(array)] if array.dtype != bool else array
    return len(np.unique(np.round(finite.astype(float), 9))) > 2 or (array.dtype == bool and array.size > 8)


def softmax(array: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(array - array.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def names_along(ndim: int, axis: int) -> tuple[str, str]:
    """What lies along an axis, in the singular and in the plural."""
    if ndim == 1:
        return "number", "numbers"
    if axis == -1:
        return "column", "columns"
    return ("row", "rows") if axis == -2 else (f"entry of axis {ndim + axis}", f"entries of axis {ndim + axis}")


def are_ones(sums: np.ndarray) -> bool:
    return bool(np.all(np.abs(sums - 1) < DIAGNOSIS_RTOL))
