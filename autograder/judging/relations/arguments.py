"""A result that is right for other arguments: two exchanged, one in place of another, cut to integers, transposed.

The solution is asked once more with each of these. What agrees with the answer in two wrong calls, and in many
different numbers, is no coincidence.
"""

import itertools
import math
from dataclasses import replace

import numpy as np

from autograder.judging.asking import Answer
from autograder.judging.relations.between import alike, shown_pair
from autograder.judging.relations.comparing import is_telling, same
from autograder.judging.relations.inputs import as_numbers
from autograder.worker.values import Tensor

MOST = 40  # other arguments that are tried
AS_MANY = 4  # other wrong calls that are looked at


def of_other_arguments(evidence, exercise, parameters, part):
    """Which other arguments the result that is shown would be right for, and that of another wrong call as well."""
    shown, right = shown_pair(evidence)
    if shown.kind != "call" or not parameters:
        return ""
    others = [(call, expected) for call, expected, wrong in alike(evidence) if wrong and call is not shown][:AS_MANY]
    for words in _right_for(evidence, shown, right, parameters):
        again = [words in _right_for(evidence, *pair, parameters, words) for pair in others]
        if any(again) or not others:
            return f"What came back is right for {words}."
    return ""


def _right_for(evidence, call, right, parameters, only=""):
    """In words, the other arguments that the result of a call would be right for."""
    got, expected = (None if each.error else _arrays(each.value) for each in (call, right))
    if got is None or expected is None or len(got) != len(expected) or not any(map(is_telling, got)):
        return
    given = dict(zip(parameters, call.args, strict=False)) | call.kwargs
    for words, altered in itertools.islice(_alterations(given, parameters), MOST):
        if only in ("", words):
            other = _arrays(_asked(evidence, call, given | altered))
            agrees = other is not None and len(other) == len(got) and all(map(same, got, other))
            if agrees and not all(map(same, other, expected)):
                yield words


def _arrays(value):
    """The results as arrays, or None where one is none."""
    parts = value if isinstance(value, tuple) else [value]
    found = [as_numbers(each) for each in parts]
    return None if any(each is None for each in found) else found


def _asked(evidence, shown, given):
    """What the solution makes of other arguments; None where it refuses them."""
    before = evidence.calls[: evidence.calls.index(shown)]
    made = [call for call in before if call is shown.of or (call.kind == "set" and call.of is shown.of)]
    other = replace(shown, args=(), kwargs=given)
    answer = Answer(evidence.exercise.name, evidence.solution, seconds=math.inf)
    *_, asked = answer.repeat([*(made if shown.of else ()), other])
    return None if asked.error else asked.value


def _alterations(given, parameters):
    """(Words, name -> value) of what a slip puts in the place of arguments."""
    for one, other in itertools.combinations(given, 2):
        if _are_alike(given[one], given[other]):
            yield f"{one} and {other} exchanged", {one: given[other], other: given[one]}
    for one, other in itertools.permutations(given, 2):
        if _are_alike(given[one], given[other]):
            yield f"{other} in place of {one}", {one: given[other]}
    for name, value in given.items():
        array = as_numbers(value)
        if array is not None and array.ndim:
            yield from ((f"{name} {words}", {name: _like(value, other)}) for words, other in _other_arrays(array))
        elif type(value) is int:
            yield f"{name} {value - 1} in place of {value}", {name: value - 1}
            yield f"{name} {value + 1} in place of {value}", {name: value + 1}
        elif isinstance(value, str):
            yield f"{name} in lower case", {name: value.lower()}
    if "mask" in parameters:
        if given.get("mask") is not None:
            yield "a call without the mask", {"mask": None}
        else:
            sizes = [as_numbers(given[name]).shape[-2] for name in parameters[:2]]
            yield "a causal mask, which nobody asked for", {"mask": _like(given[parameters[0]], np.tri(*sizes) > 0)}


def _other_arrays(array):
    if array.dtype == bool:
        yield "with True and False exchanged", ~array
    elif (np.trunc(array) != array).any():
        yield "cut to whole numbers", np.trunc(array)
    if array.ndim > 1 and array.shape[-1] == array.shape[-2]:
        yield "transposed", np.ascontiguousarray(array.swapaxes(-2, -1))
    if array.dtype != bool:
        yield "without its signs", np.abs(array)
        yield "with the sign turned round", -array
    for axis, things in ((-2, "row"), (-1, "column")):
        if array.ndim >= -axis and array.shape[axis] > 1:
            things = things if array.ndim > 1 else "number"
            yield f"with its {things}s in reverse order", np.ascontiguousarray(np.flip(array, axis))
            yield f"without its last {things}", np.ascontiguousarray(np.delete(array, -1, axis))
            yield f"without its first {things}", np.ascontiguousarray(np.delete(array, 0, axis))


def _are_alike(one, other):
    arrays = as_numbers(one), as_numbers(other)
    return all(each is not None and each.ndim for each in arrays) and arrays[0].ndim == arrays[1].ndim


def _like(value, array):
    """An array in the form of a value: a tensor for a tensor."""
    return Tensor(array) if isinstance(value, Tensor) else array
