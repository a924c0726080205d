"""Names the mistake behind a wrong answer by making every known mistake again on the same inputs."""

import math

import numpy as np

from autograder.judging.asking import Answer
from autograder.judging.compare import are_close, holds_text
from autograder.judging.trusted import lesson_of, misconception_session
from autograder.worker.values import Described, Opaque, Tensor

RTOL = 1e-4
_NO_EVIDENCE = ("timeout", "killed")  # nothing came back that could be compared


def diagnose(exercise, calls, solution):
    """The misconception that explains a failed answer best.

    Parameters
    ----------
    exercise : autograder.chapters.chapter.Exercise
    calls : list of autograder.judging.calls.Call
        Every call that the suite made of the answer.
    solution : autograder.judging.trusted.TrustedSession
        The chapter's solutions.

    Returns
    -------
    tuple of (str or None, str, str)
        Name of the misconception, its sentence, its hint; ``(None, "", "")`` where no known mistake explains at
        least as many wrong results as there are calls on which it would have come to something else.
    """
    calls = [call for call in calls if not (call.error and call.error.get("type") in _NO_EVIDENCE)]
    right = list(_replay(exercise.name, solution, calls))
    wrong = [not same_outcome(call, reference) for call, reference in zip(calls, right, strict=True)]
    session, names = misconception_session(exercise)
    best, best_score = None, (0, 0, 0)
    for name in names:
        pairs, same, missed = [], [], 0
        for call, is_wrong, expected, again in zip(calls, wrong, right, _replay(name, session, calls), strict=True):
            pairs.append((call, again))
            same.append(
                same_outcome(call, again) or (None if _only_worded_differently(call, again, expected) else False)
            )
            missed += is_wrong and not same[-1]
            if same.count(False) > min(sum(wrong) - missed, len(calls) - best_score[0]):
                break  # it can only contradict more than it explains, or agree with less than another one
        explained = sum(bool(s and w) for s, w in zip(same, wrong, strict=False))
        by_value = any(s and w and call.error is None for s, w, call in zip(same, wrong, calls, strict=False))
        contradicted = same.count(False)
        telling = sum(w and s is not None for s, w in zip(same, wrong, strict=False))
        if not explained or explained < contradicted or not (by_value or explained == telling):
            continue
        # Filling with -1e-9 and with 0 differ in the tenth digit only: between equals, the last digits decide.
        score = same.count(True), explained, sum(same_outcome(*pair, rtol=1e-12) for pair in pairs)
        if score > best_score:
            best, best_score = name, score
    return (best, *lesson_of(exercise.name, best)) if best else (None, "", "")


def _replay(name, session, calls):
    """The calls made again, one by one as they are asked for."""
    return Answer(name, session, seconds=math.inf).repeat(calls)


def same_outcome(one, other, rtol=RTOL):
    """Whether two calls came to the same: equal values and equal changes to their inputs, or the same error.

    The type of an error alone says too little: a ValueError may be anything.
    """
    if one.error or other.error:
        return bool(one.error and other.error) and all(
            one.error[part] == other.error[part] for part in ("type", "message")
        )
    return one.changed == other.changed and _same_value(one.value, other.value, rtol)


def _only_worded_differently(call, again, expected):
    """Whether an error of this type is what the exercise asks for, in words that are everybody's own.

    Such a call speaks neither for a mistake nor against it.
    """
    return all(each.error for each in (call, again, expected)) and (
        call.error["type"] == again.error["type"] == expected.error["type"]
    )


def _same_value(one, other, rtol):
    if one is other:
        return True
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.requires_grad == other.requires_grad and _same_numbers(one.array, other.array, rtol)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return _same_numbers(one, other, rtol)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same_value(one[key], other[key], rtol) for key in one)
    if isinstance(one, Described) and isinstance(other, Described):
        if one.kind == "axes":
            return other.kind == "axes" and _same_value(_unworded(one.parts), _unworded(other.parts), rtol)
        return one == other
    if isinstance(one, Opaque) and isinstance(other, Opaque):
        return True  # objects of two classes: what their methods return tells them apart
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and not _is_numeric(one):
        return len(one) == len(other) and all(_same_value(a, b, rtol) for a, b in zip(one, other, strict=True))
    if _is_numeric(one) and _is_numeric(other):
        return _same_numbers(np.asarray(one), np.asarray(other), rtol)
    return type(one) is type(other) and repr(one) == repr(other)


def _same_numbers(one, other, rtol):
    if one.shape != other.shape or _family(one) != _family(other):
        return False
    if one.dtype.kind == "b":
        return bool((one == other).all())
    if one.dtype.kind in "iu" or other.dtype.kind in "iu":
        one, other = one.astype(float), other.astype(float)
    return bool(are_close(one, other, rtol).all())


def _unworded(parts):
    """A description that says of a title or a label whether there is one: their words are a matter of taste."""
    return parts | {name: bool(parts[name].strip()) for name in ("title", "x_label", "y_label") if name in parts}


def _family(array):
    return array.dtype.kind if array.dtype.kind in "bc" else "real"


def _is_numeric(value):
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        return np.asarray(value).dtype.kind in "biufc"
    if isinstance(value, (list, tuple)) and not holds_text(value):
        try:
            return np.asarray(value).dtype.kind in "biufc"
        except ValueError:
            return False
    return False
