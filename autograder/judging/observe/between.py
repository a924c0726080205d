"""What several calls show together."""

import math
import re
from dataclasses import replace

import numpy as np

from autograder.judging.observe.inputs import arguments_of, as_numbers
from autograder.judging.observe.patterns import FEW, MANY, pattern
from autograder.judging.values.leaves import arrays_in
from autograder.judging.values.same import is_finite, same_outcome

_RETURNS = "return where they should raise"
TINY = 1e-6  # of the largest number that came in: what single precision may lose
FAR = 10  # times as large numbers are that may overflow where others do not
ANYTHING = 3  # calls that tell apart what depends on the arguments from what does not


def alike(evidence):
    """(call, the solution's, whether it is wrong) of all calls of the kind that is shown."""
    shown = evidence.shown
    for call, right, wrong, by_chance in zip(
        evidence.calls, evidence.right, evidence.wrong, evidence.by_chance, strict=True
    ):
        if (
            not by_chance
            and call.kind == shown.kind == "call"
            and (call.of is None, call.method) == (shown.of is None, shown.method)
        ):
            yield call, right, wrong and (call is shown or not _is_rounding(call, right))


def _is_rounding(call, right):
    """Whether a result is 0, as it should be, beside the numbers that came in."""
    both = [as_numbers(each.value) for each in (call, right) if not each.error]
    if len(both) < 2 or any(each is None or each.dtype.kind != "f" for each in both) or call.changed != right.changed:
        return False
    given = TINY * _largest(call)
    return both[0].shape == both[1].shape and all(np.abs(each).max(initial=0) <= given for each in both)


def shown_pair(evidence):
    """The call that is shown, and the solution's."""
    at = evidence.calls.index(evidence.shown)
    return evidence.calls[at], evidence.right[at]


def one_result_for_all(evidence, exercise, parameters, part):
    """The example's figures whatever comes in, or a global of the notebook in place of an argument."""
    calls = [(call, right) for call, right, _ in alike(evidence) if not (call.error or right.error)]
    if len(calls) < ANYTHING or any(not same_outcome(call, calls[0][0]) for call, _ in calls):
        return ""
    if all(same_outcome(right, calls[0][1]) for _, right in calls) or not list(arrays_in(calls[0][0].value)):
        return ""
    return "The same result comes back whatever is passed in: is it made of the arguments?"


def one_result_for_another(evidence, exercise, parameters, part):
    """A figure that is typed in, though other arguments may lead to other figures."""
    shown, right = shown_pair(evidence)
    if (
        shown.error
        or right.error
        or not is_finite(shown)
        or not any((a * a != abs(a)).any() for a in arrays_in(shown.value))
    ):
        return ""
    for call, expected, _ in alike(evidence):
        if not (call.error or expected.error or same_outcome(expected, right)) and same_outcome(call, shown):
            told = "The same comes back for other arguments, where another result is right"
            return f"{told}: is it made of them all, or kept from an earlier call?"
    return ""


def another_each_time(evidence, exercise, parameters, part):
    """Dropout that is always on, random numbers, layers made in `forward`, something kept from the last call.

    Only where the solution gives the same again: weights may have been set anew, and a cache is there to grow.
    """
    seen = {}
    for call, right, _ in alike(evidence):
        first, expected = seen.setdefault((call.inputs, id(call.of)), (call, right))
        comparable = not (call.error or first.error) and same_outcome(right, expected)
        if comparable and not same_outcome(call, first):
            return "The same call gives another result each time: does it draw random numbers, or keep something?"
    return ""


def of_a_default(evidence, exercise, parameters, part):
    """That all wrong calls lack an argument that has a value then, few right ones do, and all with it are right."""
    found = [(arguments_of(call, parameters), wrong) for call, _, wrong in alike(evidence)]
    signatures = "".join(exercise.stub.split('"""')[::2])
    for name in {*parameters} & {*re.findall(r"(\w+)=(?!None)", signatures)}:
        lack, have = ([wrong for named, wrong in found if (named.get(name) is None) == is_left] for is_left in (1, 0))
        if len(have) >= FEW and not any(have) and sum(lack) >= max(MANY, MANY * lack.count(False)):
            told = f"those that are wrong all lack an argument {name}, and all with one are right"
            return f"Of the calls tried, {told}: look at its default, and at what is made of it."
    return ""


def of_calls(evidence, exercise, parameters, part):
    """What the wrong calls have in common, or those of them that are wrong in the way of the one that is shown."""
    found, way = list(alike(evidence)), _way(*shown_pair(evidence))
    good = [call for call, _, wrong in found if not wrong]
    bad = [call for call, _, wrong in found if wrong]
    changing = [call for call, right, wrong in found if wrong and only_changes(call, right)]
    like_this = [call for call, right, wrong in found if wrong and call not in changing and _way(call, right) == way]
    told = pattern(bad, good, parameters) or pattern(like_this, good + changing, parameters, way)
    if not told and good and way == _RETURNS and len(like_this) == sum(evidence.wrong):
        return "Every result that is asked for is right; only an error that should be raised is missing."
    return told


def of_batches(evidence, exercise, parameters, part):
    """That just the calls with batch axes are wrong: that is heard before what is vague."""
    told = of_calls(evidence, exercise, parameters, part)
    return told if "batch ax" in told and told.endswith("are wrong, and all without are right.") else ""


def of_nan(evidence, exercise, parameters, part):
    """That nan comes back just where far larger numbers come in than where it is right."""
    found = [(_has_nan(call) and not _has_nan(right), wrong, _largest(call)) for call, right, wrong in alike(evidence)]
    high = [largest for is_nan, _, largest in found if is_nan]
    low = [largest for _, wrong, largest in found if not wrong]
    if not _has_nan(evidence.shown) or len(low) < FEW or min(high, default=0) < FAR * max(low):
        return ""
    told = f"it is right with numbers up to {math.ceil(max(low)):,}, and nan with one beyond {math.floor(min(high)):,}"
    return f"Of the calls tried, {told}: inf / inf, inf - inf and 0 / 0 are nan, and `exp` soon gives inf or 0."


def _has_nan(call):
    return not call.error and any(np.isnan(array).any() for array in arrays_in(call.value))


def _largest(call):
    """How far from 0 the numbers are that a call was given."""
    return max((np.abs(array).max(initial=0) for array in arrays_in(list(call.args))), default=0)


def only_changes(call, right):
    """Whether a call came to the right value, and altered what came in."""
    return call.changed != right.changed and same_outcome(replace(call, changed=right.changed), right)


def _way(call, right):
    """In which way a call is wrong, to follow "those that"."""
    if call.error:
        return "raise"
    return _RETURNS if right.error else "return something wrong"
