"""Tells two known mistakes that an answer makes at once: the solution with both edits in it comes to the same.

Those are made first of which nothing speaks against that either mistake does alone: calls in which neither shows are
right, and those in which one shows came to what it comes to.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from autograder.judging.alike import is_finite, numbers_in, same_outcome
from autograder.judging.diagnosis import replay, score
from autograder.judging.edits import StaleEdit, edited
from autograder.judging.misconceptions import read_misconceptions
from autograder.judging.relations.comparing import is_telling
from autograder.judging.relations.features import texts
from autograder.judging.trusted import misconception_session
from autograder.worker.values import Described

LOOKED_AT = 4  # calls in which each mistake alone is looked at, and up to the one that is shown
MOST = 25  # pairs that are made
TINY = 1e-9


@dataclass(frozen=True)
class _Alone:
    """What one mistake alone comes to: a call, whether that is not right, whether it is what the answer came to."""

    calls: list
    shows: list
    agrees: list


def of_two_mistakes(evidence, exercise, parameters, part):
    """What each of two mistakes does that together explain a failed answer, or one that explains part of it."""
    session, names = misconception_session(exercise)
    if exercise.seconds is not None or not names or _is_picture(evidence.shown):
        return ""  # what trains or draws takes too long to be done many times
    known = {name: mistake for name, mistake in read_misconceptions(exercise.name).items() if name in names}
    alone = {name: _alone(evidence, session, name) for name in known}
    best, best_score = None, (0, 0, 0)
    for pair in itertools.islice(_likely(evidence, [name for name in known if known[name].edits], alone), MOST):
        made = _made(evidence, session, *(known[name] for name in pair))
        found = score(evidence, made, best_score) if made else best_score
        if found > best_score:
            best, best_score = pair, found
    if best is None:
        return _one_among_others(evidence, session, known, alone)
    one, other = (_first_sentence(known[name].sentence) for name in best)
    return f"Two mistakes together come to this result. One alone: {one} The other alone: {other}"


def _is_picture(call):
    return isinstance(call.value, Described) and call.value.kind == "axes"


def _alone(evidence, session, name):
    calls = evidence.calls[: max(LOOKED_AT, _place(evidence) + 1)]
    made = list(replay(name, session, calls))
    shows = [not same_outcome(*pair) for pair in zip(made, evidence.right, strict=False)]
    return _Alone(made, shows, [same_outcome(*pair) for pair in zip(made, calls, strict=True)])


def _place(evidence):
    return evidence.calls.index(evidence.shown)


def _looked_at(evidence, alone):
    """Where calls say something that each mistake alone was asked for."""
    return [at for at in range(len(next(iter(alone.values())).calls)) if not evidence.by_chance[at]]


def _likely(evidence, names, alone):
    """Pairs of mistakes, the likely ones first: see above."""
    looked_at, ranked, there = _looked_at(evidence, alone), [], _place(evidence)
    for pair in itertools.combinations(names, 2):
        both = [alone[name] for name in pair]
        doubts = sum(not _may_come_to(evidence.wrong[at], both, at) for at in looked_at)
        if 2 * doubts <= len(looked_at):
            far = _distance(evidence.shown, evidence.right[there], *(each.calls[there] for each in both))
            ranked.append((doubts, far, len(ranked), pair))
    return [pair for *_, pair in sorted(ranked)]


def _may_come_to(is_wrong, both, at):
    """Whether a call may have come to what it came to where both mistakes are made."""
    showing = [each for each in both if each.shows[at]]
    if len(showing) == 1:
        return showing[0].agrees[at]
    return len(showing) == 2 or not is_wrong


def _one_among_others(evidence, session, known, alone):
    """A mistake that alone explains the call that is shown, and others, where something else is wrong in the rest."""
    looked_at, there = _looked_at(evidence, alone), _place(evidence)
    wrong = [at for at in looked_at if evidence.wrong[at] and _tells(evidence.calls[at])]
    explained = {name: [at for at in wrong if each.agrees[at]] for name, each in alone.items()}
    for name in sorted(explained, key=lambda name: -len(explained[name])):
        more = len(explained[name]) - 1
        if (
            there in explained[name]
            and more > 0
            and 2 * more + 2 > len(wrong)
            and not _is_spared(evidence, session, name)
        ):
            told = _first_sentence(known[name].sentence)
            here = f"Here and in {more} more of the calls" if more > 1 else "Here and in another call"
            return f"{here} the result is the one that this mistake gives: {told} Elsewhere it is not, or not alone."
    return ""


def _is_spared(evidence, session, name):
    """Whether a call is right in which a mistake would show."""
    made = replay(name, session, evidence.calls)
    pairs = zip(made, evidence.right, evidence.wrong, evidence.by_chance, strict=True)
    return any(not (wrong or by_chance) and not same_outcome(again, right) for again, right, wrong, by_chance in pairs)


def _distance(shown, right, one, other):
    """How far a call is from what two mistakes would come to whose effects just add up."""
    parts = [list(numbers_in(call.value)) for call in (shown, right, one, other)]
    if len({len(each) for each in parts}) > 1 or shown.error:
        return math.inf
    return sum(map(_apart, *parts))


def _apart(got, right, one, other):
    if not got.shape == right.shape == one.shape == other.shape:
        return math.inf
    apart = float(np.abs(1.0 * one + other - right - got).mean())
    return apart / max(float(np.abs(1.0 * right).mean()), TINY) if np.isfinite(apart) else math.inf


def _made(evidence, session, one, other):
    """The calls made again with both edits in the solution; None where they cannot be made together."""
    try:
        source = edited(evidence.exercise.solution, {**one.edits, **other.edits})
    except StaleEdit:
        return None
    both = session.defining(f"{one.name}__{other.name}", evidence.exercise.name, source)
    return replay(evidence.exercise.name, both, evidence.calls)


def _tells(call):
    """Whether a call came to so many numbers that they are no coincidence: words and errors can have many causes."""
    if call.kind != "call" or call.error or not is_finite(call) or any(texts(list(call.args))):
        return False
    return any(is_telling(array) for array in numbers_in(call.value) if array.dtype.kind in "biuf")


def _first_sentence(text):
    return text.partition(". ")[0].rstrip(".") + "."
