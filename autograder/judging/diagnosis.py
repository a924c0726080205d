"""Names the mistake behind a wrong answer by making every known mistake again on the same inputs."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from autograder.chapters.chapter import Exercise
from autograder.judging.asking import Answer
from autograder.judging.budget import Budget
from autograder.judging.calls import Call
from autograder.judging.explanation import Explanation, Kind
from autograder.judging.trusted import TrustedSession, lesson_of, misconception_session
from autograder.judging.values.same import (
    DIAGNOSIS_RTOL,
    DIGITS_RTOL,
    SUITE_RTOL,
    differ_exactly,
    is_finite,
    same_attributes,
    same_gradients,
    same_outcome,
)
from autograder.judging.verdict import ExerciseVerdict
from autograder.worker.values import Described, Tensor

if TYPE_CHECKING:
    from autograder.boundary.session import Session
    from autograder.chapters.tasks import Task
    from autograder.judging.judge import Judge

MAX_PARTS = 20_000  # numbers and words of a result that is explained: what is right has far fewer
_NO_EVIDENCE = ("timeout", "killed")  # nothing came back that could be compared


@dataclass(frozen=True)
class Evidence:
    """What an answer's calls came to, beside what the solution makes of the same.

    Attributes
    ----------
    exercise : autograder.chapters.chapter.Exercise
    calls, right : list of autograder.judging.calls.Call
        Every call that the suite made of the answer, and the solution's, pair by pair.
    wrong : list of bool
        Where the two came to something else.
    by_chance : list of bool
        Where a module was used with the weights that it began with, which are drawn: its numbers say nothing.
    shown : autograder.judging.calls.Call or None
        The call that the learner is shown; None for the first that is wrong.
    solution : autograder.judging.trusted.TrustedSession
    rtol : float
        How near a mistake has to come to the call that is shown.
    ruled_out : dict
        Misconception -> a call that it cannot have come to, whichever call is shown.
    budget : autograder.judging.budget.Budget
        What there is to spend on an explanation.
    verdict : autograder.judging.verdict.ExerciseVerdict or None
        What is to be explained, and what has been said so far.
    session : autograder.boundary.session.Session or None
        The answer, which can be asked for more.
    task : autograder.chapters.tasks.Task or None
    judge : autograder.judging.judge.Judge or None
        Who judges the answer when it is changed.
    dependencies : tuple of str
        Exercises that this one calls and that are not known to be right.
    """

    exercise: Exercise
    calls: list[Call] = field(default_factory=list)
    right: list[Call] = field(default_factory=list)
    wrong: list[bool] = field(default_factory=list)
    by_chance: list[bool] = field(default_factory=list)
    shown: Call | None = None
    solution: TrustedSession | None = None
    rtol: float = DIAGNOSIS_RTOL
    ruled_out: dict[str, Call] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    verdict: ExerciseVerdict | None = None
    session: "Session | None" = None
    task: "Task | None" = None
    judge: "Judge | None" = None
    dependencies: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        exercise: Exercise,
        calls: Iterable[Call],
        solution: TrustedSession,
        shown: Call | None = None,
        budget: Budget | None = None,
    ) -> "Evidence":
        """Make every call again with the solution."""
        calls = [call for call in calls if not (call.error and call.error.get("type") in _NO_EVIDENCE)]
        right = list(replay(exercise.name, solution, calls))
        by_chance = list(_are_by_chance(calls, right))
        wrong = [
            not (same_outcome(call, expected) or _is_refusal(call, expected) or is_drawn)
            for call, expected, is_drawn in zip(calls, right, by_chance, strict=True)
        ]
        first = next((call for call, is_wrong in zip(calls, wrong, strict=True) if is_wrong), None)
        evidence = cls(exercise, calls, right, wrong, by_chance, None, solution, budget=budget or Budget())
        return evidence.showing(shown or first)

    @property
    def is_small(self) -> bool:
        """Whether the results have so few parts that a step, which nobody can interrupt, is soon done with them."""
        return all(_is_small(call.value) for call in self.calls)

    def showing(self, shown: Call | None) -> "Evidence":
        """The same about another call; a suite may look at it more closely than the diagnosis does elsewhere."""
        if shown not in self.calls:
            return replace(self, shown=shown)
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


def _are_by_chance(calls, right):
    """For each call whether both modules were used, without an error, and their weights had not been set."""
    known = {id(call.of) for call in calls if call.kind == "set"}
    for call, expected in zip(calls, right, strict=True):
        made = call.of and expected.of.value
        has_weights = isinstance(made, Described) and bool(made.parts.get("parameters"))
        yield has_weights and call.kind == "call" and id(call.of) not in known and not (call.error or expected.error)


def name_mistake(evidence: Evidence) -> Explanation | None:
    """The known mistake that explains a failed answer best.

    It has to explain the call that the learner is shown and at least twice as many wrong results as there are calls on
    which it would have come to something else. None of these may be a result that is exact: what has another shape, or
    another Boolean, integer or word in it, has another cause.
    """
    if evidence.shown not in evidence.calls:
        return None
    session, names = misconception_session(evidence.exercise)
    best, best_score = None, (0, 0, 0)
    for name in names:
        if evidence.ruled_out.get(name) not in (None, evidence.shown):
            continue
        found = score(evidence, replay(name, session, evidence.calls), best_score, name)
        if found > best_score:
            best, best_score = name, found
    if best is None:
        return None
    explains_all = best_score[1] == sum(evidence.wrong)
    return Explanation(Kind.MISTAKE, *lesson_of(evidence.exercise.name, best, explains_all), name=best)


def name_mistake_elsewhere(evidence: Evidence) -> Explanation | None:
    """The known mistake that explains another failed test than the first: then that one is shown.

    That an argument is overwritten is not looked at here: it is said beside any observation.
    """
    verdict = evidence.verdict
    for test in verdict.tests:
        is_failed = test is not verdict.speaking and test.outcome in ("wrong", "raised") and test.asked
        is_overwritten = test.mismatch and test.mismatch.rung == "arguments"
        if is_failed and not is_overwritten and (mistake := name_mistake(evidence.showing(test.asked))):
            return replace(mistake, test=test.name)
    return None


def score(evidence, mistakes, to_beat, name):
    """How well a mistake of some name explains the evidence; zeros where it does not.

    On how many calls it agrees, how many wrong results it explains, and on how many the last digits agree, and which
    tensors ask for gradients: filling with -1e-9 and with 0 differ in the tenth digit only. Digits say nothing where
    all that it explains has overflowed: between such mistakes the first of the file is named, which is the most
    general.
    """
    agreed, explained, digits = 0, [], 0
    contradicted, plainly, missed, used = 0, 0, 0, False
    pairs = zip(evidence.calls, evidence.wrong, evidence.right, mistakes, evidence.by_chance, strict=True)
    for call, is_wrong, expected, again, by_chance in pairs:
        evidence.budget.check()
        used = used or (call.kind == "call" and call.of is not None and not (call.error or again.error))
        if by_chance and not again.error:
            continue
        if _says_nothing(call, again, expected):
            continue
        same = same_outcome(call, again, evidence.rtol if call is evidence.shown else DIAGNOSIS_RTOL)
        same = same and (call is not evidence.shown or same_attributes(call, again))
        if not same and _is_ruled_out(call, is_wrong, again):
            evidence.ruled_out[name] = call
            return (0, 0, 0)
        if not same and call is evidence.shown:
            return (0, 0, 0)
        agreed += same
        contradicted += not same
        plainly += not (same or call.error or again.error)
        missed += is_wrong and not same
        digits += same and same_outcome(call, again, DIGITS_RTOL) and same_gradients(call, again)
        if same and is_wrong:
            explained.append(call)
        if contradicted > min(sum(evidence.wrong) - missed, len(evidence.calls) - to_beat[0]):
            return (0, 0, 0)  # it can only contradict more than it explains, or agree with less than another one
    if evidence.shown not in explained or len(explained) < max(contradicted, plainly * _weight(evidence)):
        return (0, 0, 0)
    if all(call.error for call in explained) and missed:  # errors alone have to explain everything
        return (0, 0, 0)
    if all(map(_is_empty, explained)) and not used:
        return (0, 0, 0)
    if contradicted and not any(map(is_finite, explained)):  # NaN is like any other: what else there is has to agree
        return (0, 0, 0)
    return agreed, len(explained), digits if any(map(is_finite, explained)) else 0


def _weight(evidence):
    """How many explained results a contradicted one outweighs: an object that remembers carries one mistake on."""
    remembers = any(call.of is not None and not isinstance(call.of.value, Described) for call in evidence.calls)
    return 1 if remembers else 2


def _is_empty(call):
    """Whether it made a module without parameters: they may be lost, kept elsewhere, or made when it is called."""
    return isinstance(call.value, Described) and call.value.parts.get("parameters") == {}


def _is_ruled_out(call, is_wrong, again):
    """Whether an answer that makes this mistake could not have come to what it came to.

    Exact results differ, or the attributes that a module lacks; one module fails where the other gives a result; or
    the answer is right where the mistake would show.
    """
    lacking = [[name for name, found in each.value or () if found is None] for each in (call, again) if _is_set(each)]
    if len(lacking) == 2 and lacking[0] != lacking[1]:
        return True
    is_module = call.of is not None and isinstance(call.of.value, Described)
    fails = is_module and call.kind == "call" and bool(call.error) != bool(again.error)
    return fails or differ_exactly(call, again) or _is_spared(call, is_wrong, again)


def _is_set(call):
    return call.kind == "set" and not call.error


def _is_spared(call, is_wrong, again):
    """Whether an answer is right where the mistake would have come to another result: so it does not make it there."""
    return not (is_wrong or call.error or again.error) and call.kind == "call" and call.changed == again.changed


def _says_nothing(call, again, expected):
    """Whether a call speaks neither for a mistake nor against it.

    So does an error of the type that the exercise asks for, in words that are everybody's own, and the news that
    the module has no attribute of some name: it may well do the same under another name.
    """
    if call.kind == "set" and same_outcome(call, again):
        return any(found is None for _, found in call.value or ())
    return all(_is_refusal(each, expected) for each in (call, again)) and not same_outcome(call, again)


def _is_refusal(call, expected):
    """Whether a call was refused as the exercise asks for, in whatever words."""
    return bool(call.error and expected.error) and call.error["type"] == expected.error["type"]


def replay(name, session, calls):
    """The calls made again, one by one as they are asked for."""
    return Answer(name, session, seconds=math.inf).repeat(calls)
