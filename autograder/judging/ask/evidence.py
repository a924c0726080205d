"""Comparison of an answer's calls with the same calls of the solution."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from autograder.boundary.session import AnswerSession
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.call import Call, Caller
from autograder.judging.budget import Budget
from autograder.judging.values.same import (
    DIAGNOSIS_RTOL,
    SUITE_RTOL,
    are_equal,
    differ_structurally,
    find_arrays,
    has_more_parts_than,
    pair_leaves,
)
from autograder.worker.values import Described, Tensor

PRODUCTS = {"@", "matmul", "dot", "mm", "mv", "bmm"}
# How functions of NumPy and torch report two sizes that do not fit.
_MISMATCHED_SIZES = (
    r"size (\d+) is different from (\d+)",  # np.matmul
    r"not aligned: (\d+) \(dim \d+\) != (\d+)",  # np.dot
    r"\(\d+x(\d+) and (\d+)x\d+\)",  # torch.matmul
    r"mat \(\d+x(\d+)\), vec \((\d+)\)",
    r"tensor \[(\d+)\] and src \[(\d+)\]",  # torch.dot
    r"batch2 tensor to be: \[\d+, (\d+)\] but got: \[\d+, (\d+)\]",  # torch.bmm
    r"has size (\d+) for operand .* previously seen size (\d+)",  # torch.einsum
    r"tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
    r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)",
    r"Expected size (\d+) but got size (\d+)",  # torch.cat
    r"target size \[\d+, (\d+)\], got \[\d+, (\d+)\]",  # torch's cross_entropy
    r"batch_size \((\d+)\) to match target batch_size \((\d+)\)",
)
_MISMATCHED_SHAPES = re.compile(r"could not be broadcast together with .*?shapes?")
_SHAPE = re.compile(r"(?:->)?\(([\dnewaxis,]*)\)")


def to_error_key(error: dict) -> tuple:
    """Return a key that equivalent errors share: the type, and a shape error's sizes or another error's message."""
    return error["type"], find_mismatched_sizes(error["message"]) or error["message"]


def find_mismatched_sizes(message: str) -> tuple[int, ...]:
    """Return the mismatched sizes in a shape error's message in ascending order; an empty tuple for other errors."""
    for pattern in _MISMATCHED_SIZES:
        if match := re.search(pattern, message):
            return tuple(sorted(map(int, match.groups())))
    if match := _MISMATCHED_SHAPES.search(message):
        texts = [shape[0] for shape in _SHAPE.finditer(message, match.end())]
        texts = [text for text in texts if text.startswith("->")] or texts
        shapes = [[int(size.replace("newaxis", "1")) for size in re.findall(r"\w+", text)] for text in texts]
        for sizes in itertools.zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1):
            if len(different := sorted({*sizes} - {1})) > 1:
                return tuple(different)
    return ()


def _may_have_equal_operands(a: dict, b: dict) -> bool:
    """Return whether the operands of two failed operations may have equal shapes, compared from the last axis."""
    (name, operands), (other_name, other_operands) = (error.get("operation") or ["", []] for error in (a, b))
    if name != other_name and not {name, other_name} <= PRODUCTS:
        return True  # A different function may take its operands in a different order.
    shapes = [[shape for _, shape in pair] for pair in zip(operands, other_operands, strict=False)]
    trailing = [
        pair for first, second in shapes if first and second for pair in zip(first[::-1], second[::-1], strict=False)
    ]
    return all(size == other_size for size, other_size in trailing)


def have_same_outcome(a: Call, b: Call, rtol: float = DIAGNOSIS_RTOL) -> bool:
    """Return whether two calls had the same effect: equal results and mutated arguments, or equivalent errors."""
    if a.error and b.error:
        return to_error_key(a.error) == to_error_key(b.error) and _may_have_equal_operands(a.error, b.error)
    if a.error or b.error:
        return False
    return a.changed == b.changed and are_equal(a.value, b.value, rtol)


def have_same_details(call: Call, other_call: Call) -> bool:
    """Return whether two calls with the same outcome have the same error message, or the same `requires_grad`."""
    if call.error and other_call.error:
        return call.error["message"] == other_call.error["message"]
    return all(
        first.requires_grad == second.requires_grad
        for first, second in pair_leaves(call.value, other_call.value)
        if isinstance(first, Tensor) and isinstance(second, Tensor)
    )


def have_structural_difference(a: Call, b: Call) -> bool:
    """Return whether two calls returned results that differ in shape, type, Booleans, integers or strings."""
    return not (a.error or b.error) and a.kind == "call" and differ_structurally(a.value, b.value)


def is_finite(call: Call) -> bool:
    return call.error is not None or all(np.isfinite(array).all() for array in find_arrays(call.value))


MAX_PARTS = 20_000  # limit for the numbers and strings in a result; larger results are not explained
_NO_EVIDENCE = ("timeout", "killed")  # error types of calls without a reply to compare


class CallPair(NamedTuple):
    call: Call
    expected: Call
    is_wrong: bool  # whether `call` and `expected` had different outcomes
    is_random: bool = False  # whether the result depends on random initial weights

    @property
    def both_returned(self) -> bool:
        return not (self.call.error or self.expected.error)


@dataclass(frozen=True)
class Evidence:
    """All calls of an answer by a suite, each paired with the same call of the solution."""

    exercise: Exercise
    pairs: list[CallPair]
    shown: CallPair  # the pair that is shown to the learner
    rtol: float = DIAGNOSIS_RTOL  # tolerance for comparing the shown call with a known mistake
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def collect(
        cls,
        exercise: Exercise,
        all_calls: Iterable[Call],
        solution: AnswerSession,
        shown_call: Call | None = None,
        budget: Budget | None = None,
    ) -> Evidence | None:
        """Return the calls paired with the solution's, or None without `shown_call` (by default, a wrong call)."""
        calls = [call for call in all_calls if not (call.error and call.error.get("type") in _NO_EVIDENCE)]
        targets = list(replay_calls(exercise.name, solution, calls))
        pairs: list[CallPair] = []
        for call, expected, is_random in zip(calls, targets, _yield_is_random(calls, targets), strict=True):
            is_right = have_same_outcome(call, expected) or raises_expected_error(call, expected)
            pairs.append(CallPair(call, expected, not (is_right or is_random), is_random))
        first = next((pair for pair in pairs if (pair.call is shown_call if shown_call else pair.is_wrong)), None)
        if first is None:
            return None
        # Compare the shown call with the suite's tolerance if the default one hides its error.
        rtol = SUITE_RTOL if have_same_outcome(first.call, first.expected) else DIAGNOSIS_RTOL
        shown = first._replace(is_wrong=not have_same_outcome(first.call, first.expected, rtol))
        pairs = [shown if pair is first else pair for pair in pairs]
        return cls(exercise, pairs, shown, rtol, budget or Budget())

    @property
    def calls(self) -> list[Call]:
        return [pair.call for pair in self.pairs]

    @property
    def is_small(self) -> bool:
        """Return whether all results are small enough to explain: an explainer cannot be interrupted."""
        return not any(has_more_parts_than(call.value, MAX_PARTS) for call in self.calls)


def _yield_is_random(calls: Sequence[Call], expected_calls: Sequence[Call]) -> Iterator[bool]:
    """Yield for each call whether its result depends on a module's random initial weights."""
    are_set = {id(call.maker) for call in calls if call.kind == "set"}
    for call, expected in zip(calls, expected_calls, strict=True):
        module = expected.maker.value if call.maker and expected.maker else None
        has_weights = isinstance(module, Described) and bool(module.parts.get("parameters"))
        is_used = call.kind in ("call", "gradients") and not (call.error or expected.error)
        yield has_weights and is_used and id(call.maker) not in are_set


def raises_expected_error(call: Call, expected: Call) -> bool:
    return call.error is not None and expected.error is not None and call.error["type"] == expected.error["type"]


def replay_calls(name: str, session: AnswerSession, calls: Sequence[Call]) -> Iterator[Call]:
    return Caller(name, session, seconds=math.inf).repeat(calls)
