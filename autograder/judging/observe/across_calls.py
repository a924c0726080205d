"""Observations about properties that distinguish wrong calls from correct ones."""

from dataclasses import replace

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.observe.comparison import ShownCall, name_arguments, name_arrays
from autograder.judging.values.leaves import REAL_NUMBERS, to_array


def is_only_mutation(call: Call, expected: Call) -> bool:
    """Return whether a call returned the correct value but mutated its arguments."""
    return call.changed != expected.changed and have_same_outcome(replace(call, changed=expected.changed), expected)


def find_pattern(shown: ShownCall) -> str:
    """Return a sentence on a property of the arguments that only the wrong calls have; "" if there is none."""
    fewest_axes = _count_fewest_axes([peer.call for peer in shown.peers], shown.parameters)
    features = [(_list_features(peer.call, shown.parameters, fewest_axes), peer.is_wrong) for peer in shown.peers]
    shared = [words for words in next((of_one for of_one, is_wrong in features if is_wrong), ())]
    if all(is_wrong for _, is_wrong in features):
        return ""
    words = next((each for each in shared if all((each in of_one) is is_wrong for of_one, is_wrong in features)), "")
    return f"The result is wrong in all tested calls with {words}, and correct in all others." if words else ""


def _list_features(call: Call, parameters: list[str], min_axes: dict[str, int]) -> list[str]:
    """Return the properties of a call's arguments as words that follow "with". The most specific one comes first."""
    arguments, arrays = name_arguments(call, parameters), name_arrays(call, parameters)
    words = [f"an argument `{name}`" for name, value in arguments.items() if value is not None]
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
