"""A result that is right for other arguments: two exchanged, one in place of another, cut to integers, transposed.

The solution is asked once more with each of these, and with two of them at once. What agrees with the answer in two
wrong calls, and in many different numbers, is no coincidence.
"""

import itertools
import math
from dataclasses import replace

from autograder.judging.asking import Answer
from autograder.judging.observe import places, shapes, values
from autograder.judging.observe.alterations import alterations, of_weights
from autograder.judging.observe.between import alike, shown_pair
from autograder.judging.observe.comparing import Weak, is_telling
from autograder.judging.observe.inputs import arguments_of, as_numbers
from autograder.judging.values.same import same

MOST = 60  # other arguments that are tried
MOST_PAIRS = 400  # of them, two at once
AS_MANY = 4  # other wrong calls that are looked at
FEW = 2  # of them have to agree where the result is one number, or a few
_CHANGES = (places.transposed, places.moved, values.a_function, values.a_factor, values.rounded)


def of_other_arguments(evidence, exercise, parameters, part):
    """Which other arguments the result that is shown would be right for, and that of another wrong call as well."""
    words = _borne_out(evidence, parameters, _right_for, MOST)
    return f"What came back is right for {words}." if words else ""


def of_two_changes(evidence, exercise, parameters, part):
    """Which two other arguments it would be right for, or for which other ones it is right but for one more change."""
    if exercise.seconds is not None or evidence.shown.of is not None:
        return ""  # a module has to be made for each
    if words := _borne_out(evidence, parameters, _right_but_changed, MOST):
        return f"For {words}."
    words = _borne_out(evidence, parameters, _right_for, MOST_PAIRS, _two_at_once)
    return f"What came back is right for {words}." if words else ""


def _borne_out(evidence, parameters, asked, *how):
    """The first words that hold for the call that is shown, and for another wrong one if there is any."""
    shown, right = shown_pair(evidence)
    if shown.kind != "call" or not parameters:
        return ""
    others = [(call, expected) for call, expected, wrong in alike(evidence) if wrong and call is not shown][:AS_MANY]
    needed = min(1, len(others)) if _is_telling(shown) else FEW
    for words in asked(evidence, shown, right, parameters, *how):
        again = (words in asked(evidence, *pair, parameters, *how, only=words) for pair in others)
        if sum(again) >= needed:
            return words
    return ""


def _is_telling(call):
    return not call.error and any(is_telling(array) for array in _arrays(call.value) or [])


def _right_for(evidence, call, right, parameters, most, altered=None, only=""):
    """In words, the other arguments that the result of a call would be right for."""
    for words, got, other in _results(evidence, call, right, parameters, most, altered or _one_by_one, only):
        if all(map(same, got, other)):
            yield words


def _right_but_changed(evidence, call, right, parameters, most, only=""):
    """In words, other arguments, and what the result is beside what they give."""
    for words, got, other in _results(evidence, call, right, parameters, most, _one_by_one, only.partition(", ")[0]):
        told = {clause for one, another in zip(got, other, strict=True) for clause in _changes(one, another)}
        if len(told) == 1:
            yield f"{words}, {told.pop().replace('{it}', 'the result')}"


def _changes(got, expected):
    changes = _CHANGES if got.shape == expected.shape else (shapes.axes_of_one, shapes.turned, shapes.reduced)
    if got.size and expected.size:
        found = [clause for change in changes for clause in change(got, expected, {})]
        yield from (clause for clause in found if not isinstance(clause, Weak))


def _results(evidence, call, right, parameters, most, altered, only):
    """(Words, results of a call, those of the solution) for so many other arguments, or those in words."""
    got, expected = (None if each.error else _arrays(each.value) for each in (call, right))
    if got is None or expected is None or len(got) != len(expected):
        return
    given = arguments_of(call, parameters)
    for words, *other in itertools.islice(altered(evidence, call, given, parameters), most):
        if only in ("", words):
            arrays = _arrays(_asked(evidence, call, *other))
            if arrays is not None and len(arrays) == len(got) and not all(map(same, arrays, expected)):
                yield words, got, arrays


def _one_by_one(evidence, call, given, parameters):
    """(Words, arguments, weights): other arguments, or other weights of the module that is called."""
    weights = next((each.args[0] for each in evidence.calls if each.kind == "set" and each.of is call.of), None)
    if call.of is not None and weights:
        for words, altered in of_weights(weights):
            yield words, given, altered
    for words, altered in alterations(given, parameters):
        yield words, given | altered, None


def _two_at_once(evidence, call, given, parameters):
    for one, first in alterations(given, parameters):
        for other, second in alterations(given | first, parameters):
            if one < other:
                yield f"{one} and {other}", given | first | second, None


def _arrays(value):
    """The results as arrays, or None where one is none."""
    parts = value if isinstance(value, tuple) else [value]
    found = [as_numbers(each) for each in parts]
    return None if any(each is None for each in found) else found


def _asked(evidence, shown, given, weights):
    """What the solution makes of other arguments, or with other weights; None where it refuses them."""
    before = evidence.calls[: evidence.calls.index(shown)]
    made = [call for call in before if call is shown.of or (call.kind == "set" and call.of is shown.of)]
    if weights is not None:
        made = [replace(call, args=(weights,)) if call.kind == "set" else call for call in made]
    other = replace(shown, args=(), kwargs=given)
    answer = Answer(evidence.exercise.name, evidence.solution, seconds=math.inf)
    *_, asked = answer.repeat([*(made if shown.of else ()), other])
    return None if asked.error else asked.value
