"""A result that is right for other arguments: two exchanged, one in place of another, cut to integers, transposed.

The solution is asked once more with each of these. What agrees with the answer in two wrong calls, and in many
different numbers, is no coincidence.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison, arguments_of
from autograder.judging.values.leaves import REAL_NUMBERS, as_arrays, to_array
from autograder.judging.values.same import same
from autograder.worker.values import Tensor

MAX_CHANGES = 60  # of arguments that are tried
MAX_CALLS = 4  # other wrong calls that are looked at
MIN_CALLS = 2  # of them that have to agree where the result is one number, or a few

Arguments = dict[str, object]


def right_for_other_arguments(comparison: Comparison) -> str:
    """Which other arguments the result that is shown would be right for, and that of another wrong call as well."""
    shown = comparison.call
    if shown.kind != "call" or not comparison.parameters:
        return ""
    others = comparison.other_wrong[:MAX_CALLS]
    needed = min(1, len(others)) if any(map(is_telling, _arrays(shown) or [])) else MIN_CALLS
    for words in _right_for(comparison, shown, comparison.right):
        agreeing = (words in _right_for(comparison, peer.call, peer.right, words) for peer in others)
        if sum(agreeing) >= needed:
            return f"What came back is right for {words}."
    return ""


def _right_for(comparison: Comparison, call: Call, right: Call, only: str = "") -> Iterator[str]:
    """In words, the other arguments that the result of a call would be right for."""
    got, expected = _arrays(call), _arrays(right)
    if got is None or expected is None or len(got) != len(expected):
        return
    own = arguments_of(call, comparison.parameters)
    changes = [(words, own, weights) for words, weights in _other_weights(comparison, call)]
    changes += [(words, own | changed, None) for words, changed in _other_arguments(own, comparison.parameters)]
    for words, arguments, weights in changes[:MAX_CHANGES]:
        if only in ("", words):
            arrays = _arrays(_asked(comparison, call, arguments, weights))
            is_one = arrays is not None and len(arrays) == len(got) and all(map(same, got, arrays))
            if is_one and not all(map(same, arrays, expected)):
                yield words


def _arrays(call: Call) -> list[np.ndarray] | None:
    """The results as arrays, or None where one is none."""
    return None if call.error else as_arrays(call.value if isinstance(call.value, tuple) else [call.value])


def _asked(comparison: Comparison, call: Call, arguments: Arguments, weights: Arguments | None) -> Call:
    """What the solution makes of other arguments, or with other weights."""
    evidence = comparison.evidence
    before = evidence.calls[: evidence.calls.index(call)] if call.of else []
    made = [earlier for earlier in before if earlier is call.of or _sets_weights(earlier, call)]
    if weights is not None:
        made = [replace(earlier, args=(weights,)) if earlier.kind == "set" else earlier for earlier in made]
    answer = Answer(comparison.exercise.name, evidence.solution, seconds=math.inf)
    *_, asked = answer.repeat([*made, replace(call, args=(), kwargs=arguments)])
    return asked


def _sets_weights(earlier: Call, call: Call) -> bool:
    return earlier.kind == "set" and earlier.of is call.of


def _other_arguments(own: Arguments, parameters: list[str]) -> Iterator[tuple[str, Arguments]]:
    """(Words, name -> value) of what a slip puts in the place of arguments."""
    alike = [pair for pair in itertools.permutations(own, 2) if _are_alike(own[pair[0]], own[pair[1]])]
    for one, other in alike:
        if [*own].index(one) < [*own].index(other):
            yield f"{one} and {other} exchanged", {one: own[other], other: own[one]}
    for one, other in alike:
        yield f"{other} in place of {one}", {one: own[other]}
    for name, value in own.items():
        array = to_array(value, REAL_NUMBERS)
        if array is not None and array.ndim and array.dtype != bool:
            yield from ((f"{name} {words}", {name: _like(value, other)}) for words, other in _other_arrays(array))
    if "mask" in parameters and own.get("mask") is None:
        arrays = as_arrays([own.get(name) for name in parameters[:2]])
        if arrays is not None and all(array.ndim > 1 for array in arrays):
            causal = np.tri(*(array.shape[-2] for array in arrays)) > 0
            yield "a causal mask, which nobody asked for", {"mask": _like(own[parameters[0]], causal)}


def _other_weights(comparison: Comparison, call: Call) -> Iterator[tuple[str, Arguments]]:
    """(Words, path -> tensor) of other weights for the module that is called: layers exchanged, no bias."""
    earlier = comparison.evidence.calls if call.of is not None else []
    weights = next((setting.args[0] for setting in earlier if _sets_weights(setting, call)), {})
    layers: dict[str, dict[str, str]] = {}
    for path in weights:
        layers.setdefault(path.rpartition(".")[0] or path, {})[path.rpartition(".")[2]] = path
    shapes = {name: [weights[path].array.shape for path in paths.values()] for name, paths in layers.items()}
    for one, other in itertools.permutations(layers, 2):
        if shapes[one] == shapes[other]:
            paths = list(zip(layers[one].values(), layers[other].values(), strict=True))
            there = {mine: weights[theirs] for mine, theirs in paths}
            if one < other:
                back = {theirs: weights[mine] for mine, theirs in paths}
                yield f"{one} and {other} exchanged", weights | there | back
            yield f"{other} in place of {one}", weights | there


def _other_arrays(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    if np.isfinite(array).all() and (np.trunc(array) != array).any():
        yield "cut to whole numbers", np.trunc(array)
    if array.ndim > 1 and array.shape[-1] == array.shape[-2]:
        yield "transposed", np.ascontiguousarray(array.swapaxes(-2, -1))
    yield "without its signs", np.abs(array)


def _are_alike(one: object, other: object) -> bool:
    """Whether one may stand in the place of the other: arrays of as many axes."""
    arrays = as_arrays([one, other])
    return arrays is not None and 0 < arrays[0].ndim == arrays[1].ndim


def _like(value: object, array: np.ndarray) -> object:
    """An array in the form of a value: a tensor for a tensor."""
    return Tensor(array) if isinstance(value, Tensor) else array
