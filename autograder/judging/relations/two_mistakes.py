"""Tells two known mistakes that an answer makes at once: the solution with both edits in it comes to the same.

A pair is made only where nothing rules it out that either mistake does alone: calls in which neither shows are right,
and those in which one shows came to what it comes to.
"""

import itertools
import math

import numpy as np

from autograder.judging.alike import numbers_in, same_outcome
from autograder.judging.diagnosis import replay, score
from autograder.judging.edits import StaleEdit, edited
from autograder.judging.misconceptions import read_misconceptions
from autograder.judging.trusted import misconception_session
from autograder.worker.values import Described

LOOKED_AT = 8  # calls in which each mistake alone is looked at, and up to the one that is shown
MOST = 120  # pairs that are made
TINY = 1e-9


def of_two_mistakes(evidence, exercise, parameters, part):
    """What each of two mistakes does that together explain a failed answer."""
    session, names = misconception_session(exercise)
    if exercise.seconds is not None or not names or _is_picture(evidence.shown):
        return ""  # what trains or draws takes too long to be done many times
    known = [each for name, each in read_misconceptions(exercise.name).items() if name in names and each.edits]
    best, best_score = None, (0, 0, 0)
    for pair in itertools.islice(_likely(evidence, session, known), MOST):
        made = _made(evidence, session, *pair)
        found = score(evidence, made, best_score) if made else best_score
        if found > best_score:
            best, best_score = pair, found
    if best is None:
        return ""
    one, other = (_first_sentence(each.sentence) for each in best)
    return f"Two mistakes together come to this result. One alone: {one} The other alone: {other}"


def _is_picture(call):
    return isinstance(call.value, Described) and call.value.kind == "axes"


def _likely(evidence, session, known):
    """Pairs of mistakes that nothing rules out which one of them does alone; first those that explain a call alone."""
    count = max(LOOKED_AT, evidence.calls.index(evidence.shown) + 1)
    calls, right = evidence.calls[:count], evidence.right[:count]
    looked_at = [at for at in range(len(calls)) if not evidence.by_chance[at]]
    shows, agrees, alone, there = {}, {}, {}, evidence.calls.index(evidence.shown)
    for mistake in known:
        made = list(replay(mistake.name, session, calls))
        shows[mistake] = [not same_outcome(*pair) for pair in zip(made, right, strict=True)]
        agrees[mistake] = [same_outcome(*pair) for pair in zip(made, calls, strict=True)]
        alone[mistake] = made[there]
    pairs = [
        pair
        for pair in itertools.combinations(known, 2)
        if all(_may_come_to(evidence.wrong[at], pair, at, shows, agrees) for at in looked_at)
    ]
    return sorted(pairs, key=lambda pair: _distance(evidence.shown, right[there], *(alone[each] for each in pair)))


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


def _may_come_to(is_wrong, pair, at, shows, agrees):
    """Whether a call may have come to what it came to where both mistakes are made."""
    showing = [each for each in pair if shows[each][at]]
    if len(showing) == 1:
        return agrees[showing[0]][at]
    return len(showing) == 2 or not is_wrong


def _made(evidence, session, one, other):
    """The calls made again with both edits in the solution; None where they cannot be made together."""
    try:
        source = edited(evidence.exercise.solution, {**one.edits, **other.edits})
    except StaleEdit:
        return None
    both = session.defining(f"{one.name}__{other.name}", evidence.exercise.name, source)
    return replay(evidence.exercise.name, both, evidence.calls)


def _first_sentence(text):
    return text.partition(". ")[0].rstrip(".") + "."
