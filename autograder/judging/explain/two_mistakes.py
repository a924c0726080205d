"""Tells two known mistakes that an answer makes at once: the solution with both edits in it comes to the same.

Pairs that the calls do not contradict are tried first: where neither mistake shows, the call is right, and where one of
them shows, the call came to what that one comes to.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import CallPair, Evidence, replay
from autograder.judging.ask.outcomes import is_finite, same_outcome
from autograder.judging.explain.case import Replied
from autograder.judging.explain.known_mistake import NO_SCORE, score
from autograder.judging.mistakes.misconceptions import read_misconceptions
from autograder.judging.mistakes.solution_edits import StaleEdit, apply_edits, statements_with
from autograder.judging.observe.across_calls import one_result_for_another, only_changes
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison
from autograder.judging.observe.results import results_under_names
from autograder.judging.run.kit_code import misconception_session
from autograder.judging.values.leaves import arrays_in, texts_in
from autograder.judging.values.same import same
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.worker.values import Described

CALLS_LOOKED_AT = 3  # calls in which each mistake alone is looked at, besides the one that is shown
MAX_PAIRS = 25  # that are made
MIN_DIFFERENT_NUMBERS = 20  # all different, that have one cause though they are of a single call
SMALLEST_MEAN = 1e-9


def explain_two_mistakes(case: Replied) -> Explanation | None:
    """What each of two mistakes does that together explain a failed answer, or one that explains part of it."""
    evidence, comparison = case.evidence, Comparison(case.evidence)
    value, is_harnessed = comparison.call.value, comparison.is_harnessed  # what a harness tells is too little
    is_picture = isinstance(value, Described) and value.kind == "axes"
    takes_long = case.exercise.seconds is not None or is_picture  # too long to be done many times
    if takes_long or is_harnessed or not evidence.is_small or not misconception_session(case.exercise)[1]:
        return None
    with np.errstate(all="ignore"):
        is_observed = any(observer(comparison) for observer in (one_result_for_another, results_under_names))
        if only_changes(comparison.call, comparison.right) or is_observed:
            return None
        search = _Search(evidence)
        sentence = search.pair() or search.one_among_others()
    return Explanation(Kind.OBSERVATION, sentence) if sentence else None


@dataclass(frozen=True)
class _Alone:
    """What one mistake alone comes to in some calls: each, whether it is wrong, whether it is the answer's."""

    calls: list[Call]
    shows: list[bool]
    agrees: list[bool]


class _Search:
    """The known mistakes of an exercise beside the evidence, each of them alone made in a few of its calls."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.session, names = misconception_session(evidence.exercise)
        mistakes = read_misconceptions(evidence.exercise.name)
        # A mistake is out where a call is right that it would have made wrong.
        is_right = {id(pair.call) for pair in evidence.pairs if not pair.is_wrong}
        self.mistakes = {name: mistakes[name] for name in names if id(evidence.ruled_out.get(name)) not in is_right}
        # The first calls, the one that is shown, and those that this one rests on.
        shown_at, of = evidence.pairs.index(evidence.shown), evidence.shown.call.of
        earlier = [at for at, pair in enumerate(evidence.pairs[:shown_at]) if of and of in (pair.call, pair.call.of)]
        places = sorted({*range(min(CALLS_LOOKED_AT, len(evidence.pairs))), *earlier, shown_at})
        self.pairs, self.shown_number = [evidence.pairs[at] for at in places], places.index(shown_at)
        self.telling = [(number, pair) for number, pair in enumerate(self.pairs) if not pair.by_chance]
        self.alone = {name: self._make_alone(name) for name in self.mistakes}

    def _make_alone(self, name: str) -> _Alone:
        calls = list(replay(name, self.session, [pair.call for pair in self.pairs]))
        pairs = list(zip(calls, self.pairs, strict=True))
        shows = [not same_outcome(again, pair.right) for again, pair in pairs]
        return _Alone(calls, shows, [same_outcome(again, pair.call) for again, pair in pairs])

    def pair(self) -> str:
        """Both sentences of the pair that explains most."""
        best, best_score = None, NO_SCORE
        for pair in itertools.islice(self._ranked_pairs(), MAX_PAIRS):
            both = self._make_both(*pair)
            own_score = score(self.evidence, both(), best_score, pair) if both else best_score
            if both and own_score > best_score and self._is_all(both()):
                best, best_score = pair, own_score
        if best is None:
            return ""
        one, other = map(self._sentence, best)
        return f"Two mistakes together come to this result: (1) {one} (2) {other}"

    def one_among_others(self) -> str:
        """A mistake that alone explains the call that is shown, and others; in the rest something else may be wrong."""
        wrong = [number for number, pair in self.telling if pair.is_wrong and _tells(pair.call)]
        value = self.evidence.shown.call.value
        is_unmistakable = any(len(np.unique(array)) >= MIN_DIFFERENT_NUMBERS for array in arrays_in(value))
        explained = {name: [number for number in wrong if one.agrees[number]] for name, one in self.alone.items()}
        for name in sorted(explained, key=lambda name: -len(explained[name])):
            count = len(explained[name])
            is_likely = 2 * count > len(wrong) if count > 1 else is_unmistakable
            if self.shown_number in explained[name] and is_likely and not self._is_contradicted(name):
                also = f" This explains {count} of {len(wrong)} failing calls; something else is wrong as well."
                return self._sentence(name) + also * (count < len(wrong))
        return ""

    def _sentence(self, name: str) -> str:
        return self.mistakes[name].sentence_alone.partition(". ")[0].rstrip(".") + "."

    def _ranked_pairs(self) -> list[tuple[str, str]]:
        """Pairs of mistakes in different statements, the likely ones first: see above."""
        evidence, shown_pair = self.evidence, self.evidence.shown
        edits = {name: mistake.edits for name, mistake in self.mistakes.items() if mistake.edits}
        statements = {name: statements_with(evidence.exercise.solution, edits[name]) for name in edits}
        ranked: list[tuple[int, float, int, tuple[str, str]]] = []
        for pair in itertools.combinations(edits, 2):
            evidence.budget.check()
            if statements[pair[0]] & statements[pair[1]]:
                continue
            both = [self.alone[name] for name in pair]
            doubts = sum(not _is_consistent(call.is_wrong, both, number) for number, call in self.telling)
            is_undone = any(_is_undone(call, [one.calls[number] for one in both]) for number, call in self.telling)
            if 2 * doubts <= len(self.telling) and not is_undone:
                distance = _distance(shown_pair.call, shown_pair.right, *(one.calls[self.shown_number] for one in both))
                ranked.append((doubts, distance, len(ranked), pair))
        return [pair for *_, pair in sorted(ranked)]

    def _make_both(self, one: str, other: str) -> Callable[[], Iterator[Call]] | None:
        """How the calls are made again with both edits in the solution; None where they cannot be made together."""
        exercise = self.evidence.exercise
        try:
            source = apply_edits(exercise.solution, {**self.mistakes[one].edits, **self.mistakes[other].edits})
        except StaleEdit:
            return None
        both = self.session.defining(f"{one}__{other}", exercise.name, source)
        return lambda: replay(exercise.name, both, self.evidence.calls)

    def _is_all(self, calls: Iterator[Call]) -> bool:
        """Whether every wrong result is what the mistakes come to: else something other is wrong instead."""
        return all(
            same_outcome(pair.call, again, self.evidence.rtol)
            for pair, again in zip(self.evidence.pairs, calls, strict=True)
            if pair.is_wrong and not pair.by_chance and not (pair.call.error and again.error)
        )

    def _is_contradicted(self, name: str) -> bool:
        """Whether a call is right in which a mistake would show, or gives an array of another shape than with it.

        A list in place of an array is something else that is wrong.
        """
        pairs = zip(self.evidence.pairs, replay(name, self.session, self.evidence.calls), strict=True)
        return any(
            type(again.value) is type(pair.call.value) and _shapes(again) != _shapes(pair.call)
            if pair.is_wrong
            else not pair.by_chance and not same_outcome(again, pair.right)
            for pair, again in pairs
            if not (pair.is_wrong and (pair.call.error or again.error))
        )


def _is_undone(pair: CallPair, alone: list[Call]) -> bool:
    """Whether one of several results is right in which a mistake alone shows: then its sentence is not true of it."""
    parts = [call.value if isinstance(call.value, tuple) else () for call in (pair.call, pair.right, *alone)]
    rows = zip(*parts, strict=False)
    return any(same(got, right) and not all(same(one, right) for one in values) for got, right, *values in rows)


def _is_consistent(is_wrong: bool, both: list[_Alone], number: int) -> bool:
    """Whether a call may have come to what it came to where both mistakes are made."""
    showing = [one for one in both if one.shows[number]]
    if len(showing) == 1:
        return showing[0].agrees[number]
    return len(showing) == 2 or not is_wrong


def _distance(got: Call, right: Call, one: Call, other: Call) -> float:
    """How far a call is from what two mistakes would come to whose effects just add up."""
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


def _tells(call: Call) -> bool:
    """Whether a call came to so many numbers that they are no coincidence: words and errors can have many causes."""
    if call.kind != "call" or call.error or not is_finite(call) or texts_in(list(call.args)):
        return False
    return any(is_telling(array) for array in arrays_in(call.value) if array.dtype.kind in "biuf")
