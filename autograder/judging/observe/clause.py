"""Statements about how a wrong array relates to the expected one, and the rules that find them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np


class Strength(Enum):
    """How much evidence a statement needs before it is reported."""

    WEAK = "It must hold in another wrong call, if there is one."
    STRONG = "One call is enough if its result has many different numbers."
    PLAIN = "One call is enough, because a dtype is never a coincidence."


@dataclass(frozen=True)
class Clause:
    """A statement about a result, with ``{it}`` as its subject. Unlike `text`, `key` is the same for all calls."""

    text: str
    key: str = ""
    strength: Strength = Strength.STRONG
    spans_all_calls: bool = False  # whether the statement is about several calls

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", self.key or self.text)


Clauses = Iterator[Clause]


@dataclass(frozen=True)
class ArrayPair:
    """A returned array and the expected one, with the call's array arguments by name."""

    got: np.ndarray
    expected: np.ndarray
    arguments: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def has_booleans(self) -> bool:
        return bool in (self.got.dtype, self.expected.dtype)


class Example(NamedTuple):
    """A returned and an expected array, and the text that a rule finds for them. Tests run a rule on its examples."""

    got: object
    expected: object
    text: str
    arguments: dict[str, object] = {}  # noqa: RUF012  (it is never written to)


@dataclass(frozen=True, eq=False)
class Rule:
    """A function that finds true statements about a pair of arrays, some of which may be true by coincidence."""

    find: Callable[[ArrayPair], Clauses]
    examples: tuple[Example, ...]
    accepts_booleans: bool

    def __call__(self, pair: ArrayPair) -> Clauses:
        return self.find(pair) if self.accepts_booleans or not pair.has_booleans else iter(())


def rule(*examples: Example, accepts_booleans: bool = False) -> Callable[[Callable[[ArrayPair], Clauses]], Rule]:
    """Return a decorator that turns a function into a `Rule`."""
    return lambda find: Rule(find, examples, accepts_booleans)


def is_significant(array: np.ndarray) -> bool:
    """Return whether an array has enough different numbers to exclude coincidences."""
    numbers = array[np.isfinite(array)] if array.dtype != bool else array
    return len(np.unique(np.round(numbers.astype(float), 9))) > 2 or (array.dtype == bool and array.size > 8)
