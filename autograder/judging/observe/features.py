"""What the arguments of a call have: in words, and by size."""

from collections.abc import Callable

import numpy as np

from autograder.judging.calls import Call
from autograder.judging.observe.comparison import arguments_of, arrays_of
from autograder.judging.values.leaves import REAL_NUMBERS, to_array

OF_ARRAYS: dict[str, Callable[[np.ndarray], bool]] = {
    "integers": lambda array: array.dtype.kind in "iu" and array.ndim > 0,
    "negative numbers": lambda array: array.min() < 0,
    "numbers that are no short fractions": lambda array: array.dtype.kind == "f" and (array * 64 % 1 != 0).any(),
    "float32": lambda array: array.dtype == np.float32,
    "other numbers of rows and of columns": lambda array: array.ndim > 1 and array.shape[-1] != array.shape[-2],
}


def features(call: Call, parameters: list[str], fewest: dict[str, int]) -> list[str]:
    """What a call's arguments have, in words that follow "with", the most telling first."""
    named, arrays = arguments_of(call, parameters), arrays_of(call, parameters)
    masks = {name: array for name, array in arrays.items() if array.dtype == bool and array.ndim}
    extra = max((array.ndim - fewest[name] for name, array in arrays.items()), default=0)
    real = [array for array in arrays.values() if array.dtype != bool and array.size]
    words = [f"an argument {name}" for name, value in named.items() if value is not None]
    words += ["a list of lists"] * any(_is_nested(value) for value in named.values())
    words += ["a list in place of an array"] * any(_is_listed(value) for value in named.values())
    words += [feature for feature, holds in OF_ARRAYS.items() if any(map(holds, real))]
    words += [f"an empty {name}" for name, value in named.items() if _is_empty(value)]
    words += ["an axis of length 1"] * any(1 in array.shape for array in arrays.values())
    words += ["a batch axis"] * (extra > 0)
    words += [f"{array.ndim} axes in {name}" for name, array in masks.items() if array.ndim > 1]
    return words + ["a row that may attend to nothing"] * any(not mask.any(-1).all() for mask in masks.values())


def _is_nested(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(part, list) for part in value)


def _is_listed(value: object) -> bool:
    return isinstance(value, list) and bool(value) and to_array(value, REAL_NUMBERS) is not None


def _is_empty(value: object) -> bool:
    array = to_array(value, REAL_NUMBERS)
    return not array.size if array is not None else isinstance(value, (str, list, tuple, dict)) and not value


def fewest_axes(calls: list[Call], parameters: list[str]) -> dict[str, int]:
    """Name of an argument -> the fewest axes that it ever had; what has more of them has batch axes."""
    fewest = {}
    for call in calls:
        for name, array in arrays_of(call, parameters).items():
            fewest[name] = min(fewest.get(name, array.ndim), array.ndim)
    return fewest


def sizes(call: Call, parameters: list[str]) -> dict[str, float]:
    """Words that a limit follows -> how much of that a call's arguments have."""
    named, arrays = arguments_of(call, parameters), arrays_of(call, parameters).values()
    known = {f"{name} above": value for name, value in named.items() if type(value) is int}
    tables = [array for array in arrays if array.dtype != bool and array.size and array.ndim]
    if tables:
        known["numbers above"] = max(float(array.max()) for array in tables)
        known["numbers further from 0 than"] = max(float(np.abs(array).max()) for array in tables)
        known["an axis longer than"] = max(max(array.shape) for array in tables)
    return known
