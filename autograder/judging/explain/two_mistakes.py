"""Names two known mistakes that an answer makes at once: the solution with both edits gives the same results.

Pairs that no call contradicts are tried first: if neither mistake would change a result, the answer was correct, and if
only one would, the answer returned what that one returns.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import CallPair, Evidence, is_finite, replay, same_outcome
from autograder.judging.explain.case import Replied
from autograder.judging.explain.known_mistake import NO_SCORE, score
from autograder.judging.mistakes.misconceptions import StaleEdit, apply_edits, read_misconceptions
from autograder.judging.observe.across_calls import only_changes
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison
from autograder.judging.observe.results import results_under_names
from autograder.judging.run.kit_code import misconception_session
from autograder.judging.values.leaves import arrays_in, texts_in
from autograder.judging.values.same import same
from autograder.judging.verdict.finding import EXPLAINS_SOME, Explanation, Kind
from autograder.worker.values import Described

CALLS_LOOKED_AT = 3  # calls in which each mistake alone is tried, in addition to the shown one
MAX_PAIRS = 25  # that are tried
MIN_DIFFERENT_NUMBERS = 20  # numbers in one call that cannot agree by coincidence
SMALLEST_MEAN = 1e-9


def explain_two_mistakes(case: Replied) -> Explanation | None:
    """Return the sentences of two mistakes that together explain a failed answer, or one that explains part of it."""
    evidence, comparison = case.evidence, Comparison(case.evidence)
    value, is_harnessed = comparison.call.value, comparison.call.is_harnessed  # a harness returns too few numbers
    is_picture = isinstance(value, Described) and value.kind == "axes"
    takes_long = case.exercise.seconds is not None or is_picture  # to be repeated many times
    if takes_long or is_harnessed or not evidence.is_small or not misconception_session(case.exercise)[1]:
        return None
    with np.errstate(all="ignore"):
        if only_changes(comparison.call, comparison.right) or results_under_names(comparison):
            return None
        search = _Search(evidence)
        sentence = search.name_two() or search.name_one_of_several()
    return Explanation(Kind.OBSERVATION, sentence) if sentence else None


@dataclass(frozen=True)
class _Alone:
    """Some calls, repeated with a single mistake in the solution."""

    calls: list[Call]
    is_wrong: list[bool]  # whether the mistake changes the result
    is_answers: list[bool]  # whether the answer has the same outcome


class _Search:
    """The known mistakes of an exercise, each tried alone on a few calls of the evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.session, names = misconception_session(evidence.exercise)
        mistakes = read_misconceptions(evidence.exercise.name)
        # Leave out mistakes that would spoil a call which the answer got right.
        right_calls = {id(pair.call) for pair in evidence.pairs if not pair.is_wrong}
        self.mistakes = {name: mistakes[name] for name in names if id(evidence.ruled_out.get(name)) not in right_calls}
        # The first calls, the shown one, and those before it in its test.
        shown_at = evidence.pairs.index(evidence.shown)
        tests = [0, *(at for at, pair in enumerate(evidence.pairs[: shown_at + 1]) if pair.call.first)]
        self.until_shown = evidence.calls[tests[-1] : shown_at + 1]
        places = sorted({*range(min(CALLS_LOOKED_AT, len(evidence.pairs))), *range(tests[-1], shown_at + 1)})
        self.pairs, self.shown_number = [evidence.pairs[at] for at in places], places.index(shown_at)
        self.looked_at = [(number, pair) for number, pair in enumerate(self.pairs) if not pair.by_chance]
        self.alone = {name: self._make_alone(name) for name in self.mistakes}

    def _make_alone(self, name: str) -> _Alone:
        calls = list(replay(name, self.session, [pair.call for pair in self.pairs]))
        pairs = list(zip(calls, self.pairs, strict=True))
        is_wrong = [not same_outcome(again, pair.right) for again, pair in pairs]
        return _Alone(calls, is_wrong, [same_outcome(again, pair.call) for again, pair in pairs])

    def name_two(self) -> str:
        """Return the sentences of the two mistakes that explain most, or an empty string."""
        best, best_score, shown = None, NO_SCORE, self.evidence.shown.call
        for names in itertools.islice(self._ranked_names(), MAX_PAIRS):
            replay_both = self._with_both(*names)
            if replay_both is None:
                continue
            *_, again = replay_both(self.until_shown)  # most pairs already fail in the shown call
            if not (same_outcome(shown, again, self.evidence.rtol) or (shown.error and again.error)):
                continue
            own_score = score(self.evidence, replay_both(self.evidence.calls), best_score, names)
            if own_score > best_score and self._explains_all(replay_both(self.evidence.calls)):
                best, best_score = names, own_score
        if best is None:
            return ""
        one, other = map(self._sentence, best)
        return f"Two mistakes together give this result: (1) {one} (2) {other}"

    def name_one_of_several(self) -> str:
        """Return a mistake that alone explains the shown call and others; the rest may have another cause."""
        wrong = [number for number, pair in self.looked_at if pair.is_wrong and _is_no_coincidence(pair.call)]
        value = self.evidence.shown.call.value
        is_unmistakable = any(len(np.unique(array)) >= MIN_DIFFERENT_NUMBERS for array in arrays_in(value))
        explained = {name: [number for number in wrong if one.is_answers[number]] for name, one in self.alone.items()}
        for name in sorted(explained, key=lambda name: -len(explained[name])):
            count = len(explained[name])
            is_likely = 2 * count > len(wrong) if count > 1 else is_unmistakable
            if self.shown_number in explained[name] and is_likely and not self._is_contradicted(name):
                also = f"{EXPLAINS_SOME}{count} of the {len(wrong)} failing calls."
                return self._sentence(name) + also * (count < len(wrong))
        return ""

    def _sentence(self, name: str) -> str:
        return self.mistakes[name].sentence_alone.partition(". ")[0].rstrip(".") + "."

    def _ranked_names(self) -> list[tuple[str, str]]:
        """Return pairs of mistakes, those first that no call contradicts."""
        evidence, shown_pair = self.evidence, self.evidence.shown
        ranked: list[tuple[int, float, int, tuple[str, str]]] = []
        for names in itertools.combinations((name for name, mistake in self.mistakes.items() if mistake.edits), 2):
            evidence.budget.check()
            both = [self.alone[name] for name in names]
            doubts = sum(not _is_consistent(call.is_wrong, both, number) for number, call in self.looked_at)
            is_undone = any(_is_undone(call, [one.calls[number] for one in both]) for number, call in self.looked_at)
            if 2 * doubts <= len(self.looked_at) and not is_undone:
                distance = _distance(shown_pair.call, shown_pair.right, *(one.calls[self.shown_number] for one in both))
                ranked.append((doubts, distance, len(ranked), names))
        return [names for *_, names in sorted(ranked)]

    def _with_both(self, one: str, other: str) -> Callable[[list[Call]], Iterator[Call]] | None:
        """Return a function that repeats calls with both edits in the solution, or None if the edits conflict."""
        exercise = self.evidence.exercise
        try:
            source = apply_edits(exercise.solution, {**self.mistakes[one].edits, **self.mistakes[other].edits})
        except StaleEdit:
            return None
        both = self.session.defining(f"{one}__{other}", exercise.name, source)
        return lambda calls: replay(exercise.name, both, calls)

    def _explains_all(self, calls: Iterator[Call]) -> bool:
        """Return whether these calls reproduce every wrong result; if not, something else is wrong."""
        return all(
            same_outcome(pair.call, again, self.evidence.rtol)
            for pair, again in zip(self.evidence.pairs, calls, strict=True)
            if pair.is_wrong and not pair.by_chance and not (pair.call.error and again.error)
        )

    def _is_contradicted(self, name: str) -> bool:
        """Return whether a call is correct although the mistake would show, or has another shape than with it."""
        pairs = zip(self.evidence.pairs, replay(name, self.session, self.evidence.calls), strict=True)
        return any(
            type(again.value) is type(pair.call.value) and _shapes(again) != _shapes(pair.call)
            if pair.is_wrong
            else not pair.by_chance and not same_outcome(again, pair.right)
            for pair, again in pairs
            if not (pair.is_wrong and (pair.call.error or again.error))
        )


def _is_undone(pair: CallPair, alone: list[Call]) -> bool:
    """Return whether part of the result is correct although one of the mistakes would spoil it."""
    parts = [call.value if isinstance(call.value, tuple) else () for call in (pair.call, pair.right, *alone)]
    rows = zip(*parts, strict=False)
    return any(same(got, right) and not all(same(one, right) for one in values) for got, right, *values in rows)


def _is_consistent(is_wrong: bool, both: list[_Alone], number: int) -> bool:
    """Return whether both mistakes together may give this call's outcome."""
    changing = [one for one in both if one.is_wrong[number]]
    if len(changing) == 1:
        return changing[0].is_answers[number]
    return len(changing) == 2 or not is_wrong


def _distance(got: Call, right: Call, one: Call, other: Call) -> float:
    """Return how far a result is from the sum of the effects of two mistakes."""
    parts = [arrays_in(call.value) for call in (got, right, one, other)]
    if len({tuple(array.shape for array in arrays) for arrays in parts}) > 1 or got.error:
        return math.inf
    total = 0.0
    for mine, correct, first, second in zip(*parts, strict=True):
        distance = float(np.abs(1.0 * first + second - correct - mine).mean())
        total += distance / max(float(np.abs(1.0 * correct).mean()), SMALLEST_MEAN)
    return total if math.isfinite(total) else math.inf


def _shapes(call: Call) -> list[tuple[int, ...]]:
    return [array.shape for array in arrays_in(call.value)]


def _is_no_coincidence(call: Call) -> bool:
    """Return whether a result has too many numbers for a coincidence; strings and errors can have many causes."""
    if call.kind != "call" or call.error or not is_finite(call) or texts_in(list(call.args)):
        return False
    return any(is_telling(array) for array in arrays_in(call.value) if array.dtype.kind in "biuf")
