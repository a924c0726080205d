"""Observations on results that are correct for other arguments or weights: two are swapped, or one is used twice.

The solution is called with each such combination. If it returns the answer's result, other wrong calls must agree: one
of them, or two if the result has so few numbers that they could agree by coincidence.
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import replay_calls
from autograder.judging.observe.comparison import ShownCall, is_significant, name_arguments
from autograder.judging.values.same import are_equal, find_arrays, to_arrays

MAX_CHANGES = 60  # limit for the combinations of other arguments that are tried
MAX_OTHER_CALLS = 4  # limit for the other wrong calls that are examined
MIN_OTHER_CALLS = 2  # number of other wrong calls that must agree if the result has few numbers

Arguments = dict[str, object]


def find_other_arguments(shown: ShownCall) -> str:
    """Return a sentence on other arguments for which the shown result would be correct; "" if there are none."""
    call = shown.call
    if call.kind != "call" or not shown.parameters:
        return ""
    other_calls = shown.other_wrong_calls[:MAX_OTHER_CALLS]
    is_enough = any(map(is_significant, _get_arrays(call, shown.expected) or []))
    needed_count = min(1, len(other_calls)) if is_enough else MIN_OTHER_CALLS
    for words in _find_matching_changes(shown, call, shown.expected):
        agreeing = (words in _find_matching_changes(shown, peer.call, peer.expected, words) for peer in other_calls)
        if sum(agreeing) >= needed_count:
            return f"Your result is what you get {words}."
    return ""


def _find_matching_changes(shown: ShownCall, call: Call, expected_call: Call, only_words: str = "") -> Iterator[str]:
    """Yield descriptions of other arguments for which the result of a call would be correct."""
    got, expected = _get_arrays(call, expected_call), _get_arrays(expected_call, expected_call)
    if got is None or expected is None or len(got) != len(expected):
        return
    call_arguments, call_weights = name_arguments(call, shown.parameters), _find_weights(shown, call)
    changes = [(words, call_arguments, weights) for words, weights in _swap_layers(call_weights)]
    changes += [(words, arguments, call_weights) for words, arguments in _swap_values(call_arguments)]
    for words, arguments, weights in changes[:MAX_CHANGES]:
        if only_words in ("", words):
            arrays = _get_arrays(_ask_solution(shown, call, arguments, weights), expected_call)
            is_one = arrays is not None and len(arrays) == len(got) and all(map(are_equal, got, arrays))
            if is_one and not all(map(are_equal, arrays, expected)):
                yield words


def _get_arrays(call: Call, expected: Call) -> list[np.ndarray] | None:
    """Return the list of arrays that a call returned, or None if it failed or returned something else."""
    if call.error:
        return None
    if isinstance(expected.value, tuple) and isinstance(call.value, (tuple, list)):
        return to_arrays([*call.value])
    return to_arrays([call.value])


def _ask_solution(shown: ShownCall, call: Call, arguments: Arguments, weights: Arguments) -> Call:
    """Return the solution's call with these arguments and weights instead of those of `call`."""
    evidence = shown.evidence
    earlier_calls = evidence.calls[: evidence.calls.index(call)] if call.maker else []
    needed_calls = [earlier for earlier in earlier_calls if earlier is call.maker or _is_weight_setting(earlier, call)]
    needed_calls = [
        replace(earlier, args=(weights, *earlier.args[1:])) if earlier.kind == "set" else earlier
        for earlier in needed_calls
    ]
    calls = [*needed_calls, replace(call, args=(), kwargs=arguments)]
    return [*replay_calls(shown.exercise.name, evidence.solution, calls)][-1]


def _is_weight_setting(earlier_call: Call, call: Call) -> bool:
    return earlier_call.kind == "set" and earlier_call.maker is call.maker


def _find_weights(shown: ShownCall, call: Call) -> Arguments:
    """Return the weights (path -> tensor) that the suite set in the called module."""
    earlier_calls = shown.evidence.calls if call.maker is not None else []
    return next((setting.args[0] for setting in earlier_calls if _is_weight_setting(setting, call)), {})


def _swap_layers(weights: Arguments) -> Iterator[tuple[str, Arguments]]:
    """Yield (description, weights) for each way to swap the weights of two layers. Weights are path -> tensor."""
    paths: dict[str, list[str]] = {}
    for path in weights:
        paths.setdefault(path.rpartition(".")[0] or path, []).append(path)
    for words, layers in _swap_values({layer: [weights[path] for path in paths[layer]] for layer in paths}):
        pairs = (zip(paths[layer], tensors, strict=True) for layer, tensors in layers.items())
        yield words, dict(itertools.chain.from_iterable(pairs))


def _swap_values(values: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (description, values) with two values of equal numbers of axes swapped, or one copied over the other."""
    axes = {name: [array.ndim for array in find_arrays(value)] for name, value in values.items()}
    for first, second in itertools.permutations(values, 2):
        if axes[first] == axes[second] and any(axes[first]):
            if [*values].index(first) < [*values].index(second):
                yield f"if you swap `{first}` and `{second}`", values | {first: values[second], second: values[first]}
            yield f"if you use `{second}` instead of `{first}`", values | {first: values[second]}
