"""Tells two known mistakes that an answer makes at once: the solution with both edits in it comes to the same.

Those are made first of which nothing speaks against that either mistake does alone: calls in which neither shows are
right, and those in which one shows came to what it comes to.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import Evidence, replay
from autograder.judging.ask.outcomes import is_finite, same_outcome
from autograder.judging.explain.case import Replied
from autograder.judging.explain.known_mistake import NO_SCORE, score
from autograder.judging.mistakes.edits import StaleEdit, edited, statements_with
from autograder.judging.mistakes.misconceptions import Misconception, read_misconceptions
from autograder.judging.observe.across_calls import one_result_for_another, only_changes
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison
from autograder.judging.observe.results import results_under_names
from autograder.judging.run.kit_code import TrustedSession, misconception_session
from autograder.judging.values.leaves import arrays_in, texts_in
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.worker.values import Described, Harness

CALLS_LOOKED_AT = 3  # calls in which each mistake alone is looked at, besides the one that is shown
MAX_PAIRS = 25  # that are made
MIN_NUMBERS = 20  # all different, that a single call is enough with
TINY = 1e-9


@dataclass(frozen=True)
class _Alone:
    """What one mistake alone comes to in some calls: each, whether it is wrong, whether it is the answer's."""

    calls: list[Call]
    shows: list[bool]
    agrees: list[bool]


def explain_two_mistakes(case: Replied) -> Explanation | None:
    """What each of two mistakes does that together explain a failed answer, or one that explains part of it."""
    evidence = case.evidence
    comparison = Comparison(evidence)
    observed = one_result_for_another, results_under_names
    if (
        only_changes(comparison.call, comparison.right)
        or not evidence.is_small
        or any(see(comparison) for see in observed)
    ):
        return None  # an observation says that
    with np.errstate(all="ignore"):
        sentence = _sentence(comparison)
    return Explanation(Kind.OBSERVATION, sentence) if sentence else None


def _sentence(comparison: Comparison) -> str:
    evidence, exercise = comparison.evidence, comparison.exercise
    session, names = misconception_session(exercise)
    is_harnessed = any(isinstance(argument, Harness) for argument in evidence.shown.args)
    if exercise.seconds is not None or not names or _is_picture(evidence.shown) or is_harnessed:
        return ""  # what trains or draws takes too long to be done many times; what a harness tells is too little
    mistakes = read_misconceptions(exercise.name).items()
    known = {name: mistake for name, mistake in mistakes if name in names and not _passes_despite(evidence, name)}
    first, later = _looked_at(evidence)
    alone = {name: _alone(evidence, (first, later), session, name) for name in known}
    looked_at = [*first, *later]
    best, best_score = None, NO_SCORE
    solution = exercise.solution
    places = {name: statements_with(solution, mistake.edits) for name, mistake in known.items() if mistake.edits}
    for pair in itertools.islice(_ranked_pairs(evidence, looked_at, places, alone), MAX_PAIRS):
        both = _both(evidence, session, *(known[name] for name in pair))
        own_score = score(evidence, both(), best_score, pair) if both else best_score
        if both and own_score > best_score and _is_all(evidence, both()):
            best, best_score = pair, own_score
    if best is None:
        sentence = _one_among_others(evidence, looked_at, session, known, alone)
        return sentence or _one_in_part(comparison, looked_at, session, known, alone)
    one, other = (_first_sentence(known[name].sentence_alone) for name in best)
    return f"Two mistakes together come to this result: (1) {one} (2) {other}"


def _is_all(evidence: Evidence, made: Iterable[Call]) -> bool:
    """Whether every wrong result is what the mistakes come to: where one is not, something else is wrong instead."""
    pairs = zip(evidence.calls, made, evidence.wrong, evidence.by_chance, strict=True)
    return all(
        same_outcome(call, again, evidence.rtol)
        for call, again, is_wrong, by_chance in pairs
        if is_wrong and not by_chance and not (call.error and again.error)
    )


def _passes_despite(evidence: Evidence, name: str) -> bool:
    """Whether the diagnosis has come to a call that is right, and would not be with this mistake in it."""
    call = evidence.ruled_out.get(name)
    return call is not None and not evidence.wrong[evidence.calls.index(call)]


def _is_picture(call: Call) -> bool:
    return isinstance(call.value, Described) and call.value.kind == "axes"


def _looked_at(evidence: Evidence) -> tuple[list[int], list[int]]:
    """Places of the first calls; and of those that the one rests on that is shown, and of itself, where it is later."""
    there, of = _place(evidence), evidence.shown.of
    first = range(min(CALLS_LOOKED_AT, len(evidence.calls)))
    earlier = [at for at, call in enumerate(evidence.calls[:there]) if of and of in (call, call.of)]
    return [*first], [] if there in first else [*earlier, there]


def _place(evidence: Evidence) -> int:
    return evidence.calls.index(evidence.shown)


def _alone(evidence: Evidence, looked_at: tuple[list[int], list[int]], session: TrustedSession, name: str) -> _Alone:
    made: list[Call] = []
    for places in looked_at:
        session.restart()
        made += replay(name, session, [evidence.calls[at] for at in places])
    beside = [(evidence.calls[at], evidence.right[at]) for places in looked_at for at in places]
    shows = [not same_outcome(again, right) for again, (_, right) in zip(made, beside, strict=True)]
    return _Alone(made, shows, [same_outcome(again, call) for again, (call, _) in zip(made, beside, strict=True)])


def _telling(evidence: Evidence, looked_at: list[int]) -> list[tuple[int, int]]:
    """(Number among those looked at, place) of calls whose numbers are not drawn."""
    return [(number, at) for number, at in enumerate(looked_at) if not evidence.by_chance[at]]


def _ranked_pairs(
    evidence: Evidence, looked_at: list[int], places: dict[str, set[int]], alone: dict[str, _Alone]
) -> list[tuple[str, str]]:
    """Pairs of mistakes, the likely ones first: see above."""
    telling, there = _telling(evidence, looked_at), looked_at.index(_place(evidence))
    ranked: list[tuple[int, float, int, tuple[str, str]]] = []
    for pair in itertools.combinations(places, 2):
        evidence.budget.check()
        if places[pair[0]] & places[pair[1]]:
            continue
        both = [alone[name] for name in pair]
        doubts = sum(not _is_consistent(evidence.wrong[at], both, number) for number, at in telling)
        is_undone = any(_is_undone(evidence, at, [one.calls[number] for one in both]) for number, at in telling)
        if 2 * doubts <= len(telling) and not is_undone:
            far = _distance(evidence.shown, evidence.right[_place(evidence)], *(one.calls[there] for one in both))
            ranked.append((doubts, far, len(ranked), pair))
    return [pair for *_, pair in sorted(ranked)]


def _is_undone(evidence: Evidence, at: int, alone: list[Call]) -> bool:
    """Whether one of several results is right in which a mistake alone shows: then its sentence is not true of it."""
    rows = zip(*map(_parts, (evidence.calls[at], evidence.right[at], *alone)), strict=False)
    return any(
        same_outcome(got, right) and not all(same_outcome(one, right) for one in made) for got, right, *made in rows
    )


def _is_consistent(is_wrong: bool, both: list[_Alone], number: int) -> bool:
    """Whether a call may have come to what it came to where both mistakes are made."""
    showing = [one for one in both if one.shows[number]]
    if len(showing) == 1:
        return showing[0].agrees[number]
    return len(showing) == 2 or not is_wrong


def _one_among_others(
    evidence: Evidence, looked_at: list[int], session: TrustedSession, known: dict, alone: dict[str, _Alone]
) -> str:
    """A mistake that alone explains the call that is shown, and others, where something else is wrong in the rest."""
    telling, there = _telling(evidence, looked_at), looked_at.index(_place(evidence))
    wrong = [number for number, at in telling if evidence.wrong[at] and _tells(evidence.calls[at])]
    explained = {name: [number for number in wrong if effect.agrees[number]] for name, effect in alone.items()}
    for name in sorted(explained, key=lambda name: -len(explained[name])):
        more = len(explained[name]) - 1
        if (
            there in explained[name]
            and (2 * more + 2 > len(wrong) if more else _is_unmistakable(evidence.shown))
            and not _is_right_where_mistake_shows(evidence, session, name)
        ):
            sentence, count = _first_sentence(known[name].sentence_alone), len(explained[name])
            if count == len(wrong):
                return sentence
            return f"{sentence} This explains {count} of {len(wrong)} failing calls; something else is wrong as well."
    return ""


def _is_unmistakable(call: Call) -> bool:
    """Whether a call came to so many different numbers that they have one cause."""
    return any(len(np.unique(array)) >= MIN_NUMBERS for array in arrays_in(call.value))


def _one_in_part(
    comparison: Comparison, looked_at: list[int], session: TrustedSession, known: dict, alone: dict[str, _Alone]
) -> str:
    """A mistake that explains the one of several results that is shown, where something else is wrong in another."""
    evidence, part = comparison.evidence, comparison.part
    there = _place(evidence)
    got, right = _parts(evidence.shown), _parts(evidence.right[there])
    differs = [not same_outcome(*pair) for pair in zip(got, right, strict=False)]
    at = differs.index(True) if part and True in differs and not evidence.by_chance[there] else None
    if at is None or not any(array.dtype.kind == "f" and is_telling(array) for array in arrays_in(got[at].value)):
        return ""
    for name, effect in alone.items():
        if _agrees_in_part(at, [(evidence.shown, effect.calls[looked_at.index(there)])]):
            pairs = zip(evidence.calls, replay(name, session, evidence.calls), strict=True)
            others = [pair for number, pair in enumerate(pairs) if evidence.wrong[number] and _parts(pair[0])]
            if _agrees_in_part(at, others) and not _is_right_where_mistake_shows(evidence, session, name):
                sentence = _first_sentence(known[name].sentence_alone)
                return f"The result for {part} is the one that this mistake gives: {sentence}"
    return ""


def _agrees_in_part(at: int, pairs: list[tuple[Call, Call]]) -> bool:
    """Whether one of the results is the same throughout."""
    parts = [(_parts(one)[at : at + 1], _parts(other)[at : at + 1]) for one, other in pairs]
    return all(one and other and same_outcome(one[0], other[0]) for one, other in parts)


def _parts(call: Call) -> list[Call]:
    """A call that gives several results as one for each of them."""
    return [replace(call, value=value) for value in call.value] if isinstance(call.value, tuple) else []


def _is_right_where_mistake_shows(evidence: Evidence, session: TrustedSession, name: str) -> bool:
    """Whether a call is right in which a mistake would show."""
    made = replay(name, session, evidence.calls)
    pairs = zip(made, evidence.right, evidence.wrong, evidence.by_chance, strict=True)
    return any(not (wrong or by_chance) and not same_outcome(again, right) for again, right, wrong, by_chance in pairs)


def _distance(shown: Call, right: Call, one: Call, other: Call) -> float:
    """How far a call is from what two mistakes would come to whose effects just add up."""
    parts = [arrays_in(call.value) for call in (shown, right, one, other)]
    if len({len(arrays) for arrays in parts}) > 1 or shown.error:
        return math.inf
    return sum(map(_apart, *parts))


def _apart(got: np.ndarray, right: np.ndarray, one: np.ndarray, other: np.ndarray) -> float:
    if not got.shape == right.shape == one.shape == other.shape:
        return math.inf
    apart = float(np.abs(1.0 * one + other - right - got).mean())
    return apart / max(float(np.abs(1.0 * right).mean()), TINY) if np.isfinite(apart) else math.inf


def _both(
    evidence: Evidence, session: TrustedSession, one: Misconception, other: Misconception
) -> Callable[[], Iterator[Call]] | None:
    """How the calls are made again with both edits in the solution; None where they cannot be made together."""
    try:
        source = edited(evidence.exercise.solution, {**one.edits, **other.edits})
    except StaleEdit:
        return None
    both = session.defining(f"{one.name}__{other.name}", evidence.exercise.name, source)
    return lambda: replay(evidence.exercise.name, both, evidence.calls)


def _tells(call: Call) -> bool:
    """Whether a call came to so many numbers that they are no coincidence: words and errors can have many causes."""
    if call.kind != "call" or call.error or not is_finite(call) or texts_in(list(call.args)):
        return False
    return any(is_telling(array) for array in arrays_in(call.value) if array.dtype.kind in "biuf")


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".") + "."
