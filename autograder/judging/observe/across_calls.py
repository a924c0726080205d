"""Observations about properties that distinguish wrong calls from correct ones."""

from dataclasses import replace

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.observe.comparison import ShownCall, name_arguments, name_arrays
from autograder.judging.values.leaves import REAL_NUMBERS, to_array

MIN_RIGHT_CALLS = 2  # number of correct calls that a statement needs, because one could agree by coincidence
MIN_LIMITED_CALLS = 4  # number of correct calls, and of wrong calls, that a statement about sizes needs
NO_SHORT_FRACTIONS = "numbers with many digits"  # phrase for random inputs: a suite's own numbers have few digits


def is_only_mutation(call: Call, expected: Call) -> bool:
    """Return whether a call returned the correct value but mutated its arguments."""
    return call.changed != expected.changed and have_same_outcome(replace(call, changed=expected.changed), expected)


def find_pattern(shown: ShownCall) -> str:
    """Return a sentence on a property of the arguments that only the wrong calls have; "" if there is none."""
    right_calls, wrong_calls = ([peer.call for peer in shown.peers if peer.is_wrong is kind] for kind in (False, True))
    return describe_pattern(wrong_calls, right_calls, shown.parameters)


def describe_pattern(wrong_calls: list[Call], right_calls: list[Call], parameters: list[str]) -> str:
    """Return a sentence on a property of the arguments that all wrong calls and no correct ones have; "" if none."""
    if not wrong_calls or not right_calls:
        return ""
    fewest_axes = _count_fewest_axes([*wrong_calls, *right_calls], parameters)
    (first, *rest), other_features = (
        [_list_features(call, parameters, fewest_axes) for call in calls] for calls in (wrong_calls, right_calls)
    )
    shared_features = [words for words in first if all(words in features for features in rest)]
    sure = [words for words in shared_features if len(right_calls) >= MIN_RIGHT_CALLS or words != NO_SHORT_FRACTIONS]
    telling_words = (words for words in sure if not any(words in features for features in other_features))
    words = next(telling_words, "") or _find_size_limit(wrong_calls, right_calls, parameters)
    return f"The result is wrong in all tested calls with {words}, and correct in all others." if words else ""


def _list_features(call: Call, parameters: list[str], min_axes: dict[str, int]) -> list[str]:
    """Return the properties of a call's arguments as words that follow "with". The most specific one comes first."""
    arguments, arrays = name_arguments(call, parameters), name_arrays(call, parameters)
    words = [f"an argument `{name}`" for name, value in arguments.items() if value is not None]
    real = [array for array in arrays.values() if array.dtype.kind == "f"]
    words += [NO_SHORT_FRACTIONS] * any((array * 64 % 1 != 0).any() for array in real)
    words += [f"an empty `{name}`" for name, value in arguments.items() if _is_empty(value)]
    words += ["an axis of size 1"] * any(1 in array.shape for array in arrays.values())
    masks = {name: array for name, array in arrays.items() if array.dtype == bool}
    words += ["a batch axis"] * any(array.ndim > min_axes[name] for name, array in arrays.items() if name not in masks)
    return words + [f"a {array.ndim}-dimensional `{name}`" for name, array in masks.items() if array.ndim > 1]


def _is_empty(value: object) -> bool:
    array = to_array(value, REAL_NUMBERS)
    return not array.size if array is not None else isinstance(value, (str, list, tuple, dict)) and not value


def _count_fewest_axes(calls: list[Call], parameters: list[str]) -> dict[str, int]:
    """Return argument -> its smallest number of axes in these calls. Additional axes are batch axes."""
    min_axes: dict[str, int] = {}
    for call in calls:
        for name, array in name_arrays(call, parameters).items():
            min_axes[name] = min(min_axes.get(name, array.ndim), array.ndim)
    return min_axes


def _find_size_limit(wrong_calls: list[Call], right_calls: list[Call], parameters: list[str]) -> str:
    """Return a phrase with the axis size that all wrong calls and no correct calls exceed; "" if there is none."""

    def find_longest_axis(call: Call) -> int:
        arrays = (array for array in name_arrays(call, parameters).values() if array.dtype != bool and array.size)
        return max((length for array in arrays for length in array.shape), default=0)

    low, high = (list(map(find_longest_axis, calls)) for calls in (right_calls, wrong_calls))
    is_limit = min(len(right_calls), len(wrong_calls)) >= MIN_LIMITED_CALLS and max(low) < min(high)
    return f"an axis longer than {max(low)}" if is_limit else ""
