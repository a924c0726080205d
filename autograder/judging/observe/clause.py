"""Clauses on how a wrong array is related to the expected one, and the rules that find them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np


class Strength(Enum):
    """How much has to bear a clause out before it is said."""

    WEAK = "another wrong call in which it holds, unless no other is wrong"
    STRONG = "one call of many different numbers"
    PLAIN = "one call: a dtype is no coincidence, however few the numbers are"


@dataclass(frozen=True)
class Clause:
    """What can be said of a result, with ``{it}`` in its place, and the key of what the like has in another call."""

    text: str
    key: str = ""
    strength: Strength = Strength.STRONG
    is_of_all: bool = False  # whether its text itself speaks of several calls

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


class Example(NamedTuple):
    """Two arrays of which a rule says so; what every rule is tested with."""

    got: object
    expected: object
    text: str
    arguments: dict[str, object] = {}  # noqa: RUF012  (it is never written to)


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
