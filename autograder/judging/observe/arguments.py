"""Observations on results that are correct for other arguments or weights: two are swapped, or one is used twice.

The solution is called with each such combination. A match must hold in another wrong call, too, if there is one, and
in two of them if the result has few numbers, because fewer could match by coincidence.
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import replay_calls
from autograder.judging.observe.clause import is_significant
from autograder.judging.observe.comparison import ShownCall, name_arguments
from autograder.judging.values.leaves import find_arrays, to_arrays
from autograder.judging.values.same import are_equal
from autograder.worker.values import Tensor

MAX_CHANGES = 60  # combinations of other arguments that are tried
MAX_OTHER_CALLS = 4  # other wrong calls that are examined
MIN_OTHER_CALLS = 2  # other wrong calls that must agree if the result has few numbers

Arguments = dict[str, object]


def find_other_arguments(shown: ShownCall) -> str:
    """Return a sentence on other arguments for which the shown result would be correct; empty if there are none."""
    call = shown.call
    if call.kind != "call" or not shown.parameters:
        return ""
    others = shown.other_wrong[:MAX_OTHER_CALLS]
    is_enough = any(map(is_significant, _get_arrays(call, shown.expected) or []))
    needed = min(1, len(others)) if is_enough else MIN_OTHER_CALLS
    for words in _find_matching_changes(shown, call, shown.expected):
        agreeing = (words in _find_matching_changes(shown, peer.call, peer.expected, words) for peer in others)
        if sum(agreeing) >= needed:
            return f"Your result is what you get {words}."
    return ""


def _find_matching_changes(shown: ShownCall, call: Call, right: Call, only: str = "") -> Iterator[str]:
    """Yield descriptions of other arguments for which the result of a call would be correct."""
    got, expected = _get_arrays(call, right), _get_arrays(right, right)
    if got is None or expected is None or len(got) != len(expected):
        return
    call_arguments, set_before = name_arguments(call, shown.parameters), _find_weights(shown, call)
    changes = [(words, call_arguments, weights) for words, weights in _swap_layers(set_before)]
    changes += [
        (words, arguments, set_before)
        for words, arguments in (*_swap_values(call_arguments), *_add_causal_mask(call_arguments, shown))
    ]
    for words, arguments, weights in changes[:MAX_CHANGES]:
        if only in ("", words):
            arrays = _get_arrays(_ask_solution(shown, call, arguments, weights), right)
            is_one = arrays is not None and len(arrays) == len(got) and all(map(are_equal, got, arrays))
            if is_one and not all(map(are_equal, arrays, expected)):
                yield words


def _get_arrays(call: Call, right: Call) -> list[np.ndarray] | None:
    """Return the arrays that a call returned, several if the solution returns several; None for other values."""
    if call.error:
        return None
    if isinstance(right.value, tuple) and isinstance(call.value, (tuple, list)):
        return to_arrays([*call.value])
    return to_arrays([call.value])


def _ask_solution(shown: ShownCall, call: Call, arguments: Arguments, weights: Arguments) -> Call:
    """Return the solution's call with other arguments, or with other weights."""
    evidence = shown.evidence
    before = evidence.calls[: evidence.calls.index(call)] if call.maker else []
    rests_on = [earlier for earlier in before if earlier is call.maker or _is_weight_setting(earlier, call)]
    rests_on = [
        replace(earlier, args=(weights, *earlier.args[1:])) if earlier.kind == "set" else earlier
        for earlier in rests_on
    ]
    calls = [*rests_on, replace(call, args=(), kwargs=arguments)]
    return [*replay_calls(shown.exercise.name, evidence.solution, calls)][-1]


def _is_weight_setting(earlier: Call, call: Call) -> bool:
    return earlier.kind == "set" and earlier.maker is call.maker


def _find_weights(shown: ShownCall, call: Call) -> Arguments:
    """Return path -> tensor for the weights that the suite set in the called module."""
    earlier = shown.evidence.calls if call.maker is not None else []
    return next((setting.args[0] for setting in earlier if _is_weight_setting(setting, call)), {})


def _swap_layers(weights: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Yield (description, path -> tensor) with the weights of two layers swapped."""
    paths: dict[str, list[str]] = {}
    for path in weights:
        paths.setdefault(path.rpartition(".")[0] or path, []).append(path)
    for words, layers in _swap_values({layer: [weights[path] for path in paths[layer]] for layer in paths}):
        pairs = (zip(paths[layer], tensors, strict=True) for layer, tensors in layers.items())
        yield words, dict(itertools.chain.from_iterable(pairs))


def _add_causal_mask(arguments: Arguments, shown: ShownCall) -> Iterator[tuple[str, Arguments]]:
    """Yield (description, arguments) with a causal mask, if the exercise takes a mask and the call has none."""
    lacks_mask = "mask" in shown.parameters and arguments.get("mask") is None
    arrays = to_arrays([arguments.get(name) for name in shown.parameters[:2]])
    if lacks_mask and arrays and all(array.ndim > 1 for array in arrays):
        causal = np.tri(*(array.shape[-2] for array in arrays)) > 0
        mask = Tensor(causal) if isinstance(arguments[shown.parameters[0]], Tensor) else causal
        yield "with a causal mask, but this call has no mask", arguments | {"mask": mask}


def _swap_values(named: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (description, values) with two of the values swapped, or one in place of another with as many axes."""
    axes = {name: [array.ndim for array in find_arrays(value)] for name, value in named.items()}
    for one, other in itertools.permutations(named, 2):
        if axes[one] == axes[other] and any(axes[one]):
            if [*named].index(one) < [*named].index(other):
                yield f"if you swap `{one}` and `{other}`", named | {one: named[other], other: named[one]}
            yield f"if you use `{other}` instead of `{one}`", named | {one: named[other]}
