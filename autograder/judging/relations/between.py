"""What several calls show together."""

from autograder.judging.alike import is_finite, numbers_in, same_outcome
from autograder.judging.relations.patterns import pattern

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
            yield call, right, wrong


def shown_pair(evidence):
    """The call that is shown, and the solution's."""
    at = evidence.calls.index(evidence.shown)
    return evidence.calls[at], evidence.right[at]


def one_result_for_all(evidence, exercise, parameters, part):
    """The example's figures whatever comes in, or a global of the notebook in place of an argument."""
    calls = [(call, right) for call, right, _ in alike(evidence) if not (call.error or right.error)]
    if len(calls) < ANYTHING or any(not same_outcome(call, calls[0][0]) for call, _ in calls):
        return ""
    if all(same_outcome(right, calls[0][1]) for _, right in calls) or not list(numbers_in(calls[0][0].value)):
        return ""
    return "The same result comes back whatever is passed in: is it made of the arguments?"


def one_result_for_another(evidence, exercise, parameters, part):
    """A figure that is typed in, though other arguments may lead to other figures."""
    shown, right = shown_pair(evidence)
    if (
        shown.error
        or right.error
        or not is_finite(shown)
        or not any((a * a != abs(a)).any() for a in numbers_in(shown.value))
    ):
        return ""
    for call, expected, _ in alike(evidence):
        if not (call.error or expected.error or same_outcome(expected, right)) and same_outcome(call, shown):
            return "The same comes back for other arguments, too, where another result is right: is it made of them?"
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


def of_calls(evidence, exercise, parameters, part):
    """What the wrong calls have in common, or those of them that are wrong in the way of the one that is shown."""
    found, way = list(alike(evidence)), _way(*shown_pair(evidence))
    good = [call for call, _, wrong in found if not wrong]
    bad = [call for call, _, wrong in found if wrong]
    like_this = [call for call, right, wrong in found if wrong and _way(call, right) == way]
    return pattern(bad, good, parameters) or pattern(like_this, good, parameters, way)


def _way(call, right):
    """In which way a call is wrong, to follow "those that"."""
    if call.error:
        return "raise"
    return "return where they should raise" if right.error else "return something wrong"
