"""The data that observers examine (the shown call, the solution's, and similar calls), and statements about them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from autograder.chapters.chapter import Exercise
from autograder.judging.ask.call import Call, read_parameters
from autograder.judging.ask.evidence import CallPair, Evidence
from autograder.judging.values.compare import Mismatch, require_equal
from autograder.judging.values.same import (
    REAL_NUMBERS,
    SUITE_RTOL,
    are_equal,
    find_arrays,
    split_results,
    to_array,
    to_arrays,
)

ROUNDING_SHARE = 1e-6  # rounding error of float32, relative to the largest input


@dataclass(frozen=True)
class Clause:
    """A statement about a result, with ``{it}`` as its subject. Unlike `text`, `key` is the same for all calls."""

    text: str
    key: str = ""
    is_weak: bool = False  # whether it must hold in another wrong call, if there is one
    is_certain: bool = False  # whether it needs no other evidence, because it is never a coincidence

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


class WrongArray(NamedTuple):
    """A wrong array among the results of a call."""

    number: int
    name: str
    got: np.ndarray
    expected: np.ndarray

    def format_sentence(self, text: str) -> str:
        """Return the text as a sentence, with the name of the result for ``{it}``."""
        text = text.replace("{it}", self.name or "the result")
        return f"{text[0].upper()}{text[1:]}{'.' * (not text.endswith('?'))}"


@dataclass(frozen=True)
class ShownCall:
    """The call that is shown to the learner, with similar calls for comparison."""

    evidence: Evidence

    @property
    def exercise(self) -> Exercise:
        return self.evidence.exercise

    @property
    def call(self) -> Call:
        return self.evidence.shown.call

    @property
    def expected(self) -> Call:
        return self.evidence.shown.expected

    @cached_property
    def parameters(self) -> list[str]:
        return read_parameters(self.exercise.stub, self.exercise.name, self.call)

    @cached_property
    def part(self) -> str:
        """Return the name of the first wrong result; empty if the results have no names."""
        try:
            require_equal(self.call.value, self.call.expected_value)
        except (Mismatch, TypeError) as difference:
            return getattr(difference, "part", "")
        return ""

    @cached_property
    def peers(self) -> list[CallPair]:
        """Return all calls of the shown call's function or method, except for calls of modules with random weights."""
        call = self.call
        return [
            pair._replace(is_wrong=pair.is_wrong and (pair.call is call or not _is_rounding_error(pair)))
            for pair in self.evidence.pairs
            if not pair.is_random
            and pair.call.kind == call.kind == "call"
            and (pair.call.maker is None, pair.call.method) == (call.maker is None, call.method)
        ]

    @cached_property
    def other_wrong_calls(self) -> list[CallPair]:
        return [peer for peer in self.peers if peer.is_wrong and peer.call is not self.call]

    def arguments(self, call: Call) -> dict[str, np.ndarray]:
        return name_arrays(call, self.parameters)

    def find_wrong_parts(self, pair: CallPair) -> list[WrongArray]:
        """Return the wrong arrays among the results of a call, in order."""
        call, target = pair.call, pair.expected
        if not pair.both_returned or call.kind != "call":
            return []
        got, expected = [call.value], split_results(target.value)
        if expected is None:
            expected = [target.value]
        elif isinstance(call.value, (tuple, list)) and len(call.value) == len(expected):
            got = [*call.value]
        else:
            return []
        name_shown = self.part if call is self.call else ""
        names = read_result_names(self.exercise.stub, len(expected))
        parts: list[WrongArray] = []
        for number, values in enumerate(zip(got, expected, strict=True)):
            got_array, expected_array = (to_array(value, REAL_NUMBERS) for value in values)
            if got_array is None or expected_array is None or are_equal(got_array, expected_array, SUITE_RTOL):
                continue
            if self.call.is_harnessed and expected_array.dtype.kind != "f":  # Integers are a harness's own records.
                continue
            name = name_shown if len(expected) == 1 or (name_shown and not parts) else names[number]
            name = f"the result `{name}`" if name and not name.startswith("result ") else name
            parts.append(WrongArray(number, name, got_array, expected_array))
        return parts


def _is_rounding_error(pair: CallPair) -> bool:
    """Return whether all expected and returned numbers are so small that they may be rounding errors of float32."""
    call, expected = pair.call, pair.expected
    arrays = to_arrays([call.value, expected.value]) if pair.both_returned else None
    if arrays is None or any(array.dtype.kind != "f" for array in arrays) or call.changed != expected.changed:
        return False
    tiny = ROUNDING_SHARE * max((np.abs(array).max(initial=0) for array in find_arrays(list(call.args))), default=0)
    return arrays[0].shape == arrays[1].shape and all(np.abs(array).max(initial=0) <= tiny for array in arrays)


def name_arguments(call: Call, parameters: list[str]) -> dict[str, object]:
    return dict(zip(parameters, call.args, strict=False)) | call.kwargs


def name_arrays(call: Call, parameters: list[str]) -> dict[str, np.ndarray]:
    arrays = {name: to_array(value, REAL_NUMBERS) for name, value in name_arguments(call, parameters).items()}
    return {name: array for name, array in arrays.items() if array is not None}


def read_result_names(stub: str, count: int) -> list[str]:
    """Return the results' names in an exercise's docstring, or "result 1" and so on if it has none."""
    for section in re.findall(r"Returns\n +-+\n(.*?)(?=\n\n|\n +\"{3})", stub, re.DOTALL):
        lines = section.split("\n")
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        heads = [line.partition(" : ")[0].strip() for line in lines if not line[indent].isspace()]
        names = [name for head in heads for name in head.split(", ")]
        if len(names) == count > 1 and " : " in section:
            return names
    return [f"result {number}" for number in range(1, count + 1)]
