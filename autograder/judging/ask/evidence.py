"""What an answer's calls came to, beside what the solution makes of the same."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.boundary.session import Asked
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.call import Call
from autograder.judging.ask.caller import Caller
from autograder.judging.ask.outcomes import same_outcome
from autograder.judging.budget import Budget
from autograder.judging.values.leaves import has_more_than
from autograder.judging.values.same import DIAGNOSIS_RTOL, SUITE_RTOL
from autograder.worker.values import Described

MAX_PARTS = 20_000  # numbers and words of a result that is explained: what is right has far fewer
_NO_EVIDENCE = ("timeout", "killed")  # nothing came back that could be compared


class CallPair(NamedTuple):
    call: Call
    right: Call
    is_wrong: bool  # whether the two came to something else
    by_chance: bool = False  # whether a module drew its weights: its numbers say nothing

    @property
    def returned(self) -> bool:
        return not (self.call.error or self.right.error)


@dataclass(frozen=True)
class Evidence:
    """Every call that the suite made of the answer and the solution's, pair by pair."""

    exercise: Exercise
    pairs: list[CallPair]
    shown: CallPair  # one of them: the learner is shown it
    solution: Asked
    rtol: float = DIAGNOSIS_RTOL  # how near a mistake has to come to the call that is shown
    ruled_out: dict[Hashable, Call] = field(default_factory=dict)  # misconception -> a call that it never comes to
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def of(
        cls,
        exercise: Exercise,
        all_calls: Iterable[Call],
        solution: Asked,
        shown_call: Call | None = None,
        budget: Budget | None = None,
    ) -> Evidence | None:
        """Make every call again with the solution; None where nothing came back that could be compared."""
        calls = [call for call in all_calls if not (call.error and call.error.get("type") in _NO_EVIDENCE)]
        right = list(replay(exercise.name, solution, calls))
        pairs = [
            CallPair(call, other, not (same_outcome(call, other) or is_refusal(call, other) or is_drawn), is_drawn)
            for call, other, is_drawn in zip(calls, right, _are_by_chance(calls, right), strict=True)
        ]
        first = next((pair for pair in pairs if (pair.call is shown_call if shown_call else pair.is_wrong)), None)
        if first is None:
            return None
        return cls(exercise, pairs, first, solution, budget=budget or Budget()).showing(first.call)

    @property
    def calls(self) -> list[Call]:
        return [pair.call for pair in self.pairs]

    @property
    def is_small(self) -> bool:
        """Whether the results have so few parts that a step, which cannot be interrupted, is soon done with them."""
        return not any(has_more_than(call.value, MAX_PARTS) for call in self.calls)

    def showing(self, call: Call) -> Evidence:
        """The same about another call; a suite may look at it more closely than the diagnosis does elsewhere."""
        at = self.calls.index(call)
        rtol = SUITE_RTOL if same_outcome(call, self.pairs[at].right) else DIAGNOSIS_RTOL
        pair = self.pairs[at]._replace(is_wrong=not same_outcome(call, self.pairs[at].right, rtol))
        return replace(self, pairs=[*self.pairs[:at], pair, *self.pairs[at + 1 :]], shown=pair, rtol=rtol)


def _are_by_chance(calls: Sequence[Call], right: Sequence[Call]) -> Iterator[bool]:
    """For each call whether both modules were used, without an error, and their weights had not been set."""
    are_set = {id(call.of) for call in calls if call.kind == "set"}
    for call, expected in zip(calls, right, strict=True):
        module = expected.of.value if call.of and expected.of else None
        has_weights = isinstance(module, Described) and bool(module.parts.get("parameters"))
        is_used = call.kind in ("call", "gradients") and not (call.error or expected.error)
        yield has_weights and is_used and id(call.of) not in are_set


def is_refusal(call: Call, expected: Call) -> bool:
    """Whether a call was refused as the exercise asks for, in whatever words."""
    return call.error is not None and expected.error is not None and call.error["type"] == expected.error["type"]


def replay(name: str, session: Asked, calls: Sequence[Call]) -> Iterator[Call]:
    """The calls made again, one by one as they are asked for."""
    return Caller(name, session, seconds=math.inf).repeat(calls)
