"""What an answer's calls came to, beside what the solution makes of the same."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autograder.boundary.session import Asked
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.ask.outcomes import same_outcome
from autograder.judging.budget import Budget
from autograder.judging.values.same import DIAGNOSIS_RTOL, SUITE_RTOL
from autograder.worker.values import Described, Tensor

MAX_PARTS = 20_000  # numbers and words of a result that is explained: what is right has far fewer
_NO_EVIDENCE = ("timeout", "killed")  # nothing came back that could be compared


@dataclass(frozen=True)
class Evidence:
    """Every call that the suite made of the answer and the solution's, pair by pair."""

    exercise: Exercise
    calls: list[Call]
    right: list[Call]
    wrong: list[bool]  # where the two came to something else
    by_chance: list[bool]  # where a module drew its weights: its numbers say nothing
    shown: Call  # one of the calls: the learner is shown it
    solution: Asked
    rtol: float = DIAGNOSIS_RTOL  # how near a mistake has to come to the call that is shown
    ruled_out: dict[Hashable, Call] = field(default_factory=dict)  # misconception -> a call that it never comes to
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def of(
        cls,
        exercise: Exercise,
        made: Iterable[Call],
        solution: Asked,
        shown: Call | None = None,
        budget: Budget | None = None,
    ) -> Evidence | None:
        """Make every call again with the solution; the first that is wrong is shown where no other is.

        None where there is none to show: nothing came back that could be compared.
        """
        calls = [call for call in made if not (call.error and call.error.get("type") in _NO_EVIDENCE)]
        right = list(replay(exercise.name, solution, calls))
        by_chance = list(_are_by_chance(calls, right))
        wrong = [
            not (same_outcome(call, expected) or is_refusal(call, expected) or is_drawn)
            for call, expected, is_drawn in zip(calls, right, by_chance, strict=True)
        ]
        shown = shown or next((call for call, is_wrong in zip(calls, wrong, strict=True) if is_wrong), None)
        if shown not in calls:
            return None
        return cls(exercise, calls, right, wrong, by_chance, shown, solution, budget=budget or Budget()).showing(shown)

    @property
    def is_small(self) -> bool:
        """Whether the results have so few parts that a step, which nobody can interrupt, is soon done with them."""
        return all(_is_small(call.value) for call in self.calls)

    def showing(self, shown: Call) -> Evidence:
        """The same about another call; a suite may look at it more closely than the diagnosis does elsewhere."""
        at, wrong = self.calls.index(shown), list(self.wrong)
        rtol = SUITE_RTOL if same_outcome(shown, self.right[at]) else DIAGNOSIS_RTOL
        wrong[at] = not same_outcome(shown, self.right[at], rtol)
        return replace(self, shown=shown, wrong=wrong, rtol=rtol)


def _is_small(value: object) -> bool:
    parts, left = [value], MAX_PARTS
    while parts and left >= 0:
        part = parts.pop()
        part = part.array if isinstance(part, Tensor) else part
        left -= part.size if isinstance(part, np.ndarray) else 1
        if isinstance(part, (list, tuple, dict)):
            if len(part) > left:
                return False
            parts += part.values() if isinstance(part, dict) else part
    return left >= 0


def _are_by_chance(calls: Sequence[Call], right: Sequence[Call]) -> Iterator[bool]:
    """For each call whether both modules were used, without an error, and their weights had not been set."""
    are_set = {id(call.of) for call in calls if call.kind == "set"}
    for call, expected in zip(calls, right, strict=True):
        module = expected.of.value if call.of and expected.of else None
        has_weights = isinstance(module, Described) and bool(module.parts.get("parameters"))
        yield has_weights and call.kind == "call" and id(call.of) not in are_set and not (call.error or expected.error)


def is_refusal(call: Call, expected: Call) -> bool:
    """Whether a call was refused as the exercise asks for, in whatever words."""
    return call.error is not None and expected.error is not None and call.error["type"] == expected.error["type"]


def replay(name: str, session: Asked, calls: Sequence[Call]) -> Iterator[Call]:
    """The calls made again, one by one as they are asked for."""
    return Answer(name, session, seconds=math.inf).repeat(calls)
