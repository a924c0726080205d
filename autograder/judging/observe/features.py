"""What the arguments of a call have: in words, and by size."""

import itertools

import numpy as np

from autograder.judging.observe.inputs import arguments_of, as_numbers, given
from autograder.judging.values.leaves import texts_in

_OF_VALUES = {
    "a list of lists": lambda value: isinstance(value, list) and any(isinstance(part, list) for part in value),
    "a list in place of an array": lambda value: isinstance(value, list) and value and as_numbers(value) is not None,
    "a tuple in place of an array": lambda value: isinstance(value, tuple) and value and as_numbers(value) is not None,
    "capital letters": lambda value: any(text != text.lower() for text in texts_in(value)),
    "letters beyond ASCII": lambda value: any(not text.isascii() for text in texts_in(value)),
    "more than single spaces between words": lambda value: any(
        text != " ".join(text.split()) for text in ([value] if isinstance(value, str) else [])
    ),
    "digits": lambda value: any(letter.isdigit() for text in texts_in(value) for letter in text),
}
OF_ARRAYS = {
    "nan": lambda array: np.isnan(array).any(),
    "integers": lambda array: array.dtype.kind in "iu" and array.ndim > 0,
    "negative numbers": lambda array: array.min() < 0,
    "numbers that are no short fractions": lambda array: array.dtype.kind == "f" and (array * 64 % 1 != 0).any(),
    "fractions": lambda array: array.dtype.kind == "f" and (array % 1 != 0).any(),
    "float32": lambda array: array.dtype == np.float32,
    "as many rows as columns": lambda array: array.ndim > 1 and array.shape[-1] == array.shape[-2],
    "other numbers of rows and of columns": lambda array: array.ndim > 1 and array.shape[-1] != array.shape[-2],
}


def features(call, parameters, least):
    """What a call's arguments have, in words that follow "with", the most telling first."""
    named = arguments_of(call, parameters)
    arrays = given(call, parameters)
    real = [array for array in arrays.values() if array.dtype != bool]
    found = [f"an argument {name}" for name, value in named.items() if value is not None]
    found += [words for words, holds in _OF_VALUES.items() if any(map(holds, named.values()))]
    found += [words for words, holds in OF_ARRAYS.items() if any(array.size and holds(array) for array in real)]
    found += [f"an empty {name}" for name, value in named.items() if _is_empty(value)]
    found += ["an axis of length 1"] * any(1 in array.shape for array in arrays.values())
    found += list(_longer({name: array for name, array in arrays.items() if array.ndim > 1 and array.dtype != bool}))
    extra = max((array.ndim - least[name] for name, array in arrays.items()), default=0)
    found += ["a batch axis"] * (extra > 0) + ["more than one batch axis"] * (extra > 1)
    found += [
        f"{array.ndim} axes in {name}" for name, array in arrays.items() if array.dtype == bool and array.ndim > 1
    ]
    found += [
        f"{axes} axes or more in {name}"
        for name, array in arrays.items()
        if array.dtype == bool
        for axes in range(2, array.ndim + 1)
    ]
    masks = [array for array in arrays.values() if array.dtype == bool and array.ndim]
    found += ["a row that may attend to nothing"] * any(not mask.any(-1).all() for mask in masks)
    return found


def _is_empty(value):
    array = as_numbers(value)
    return not array.size if array is not None else isinstance(value, (str, list, tuple, dict)) and not value


def _longer(tables):
    """Which argument has more rows than which other one."""
    for one, other in itertools.permutations(tables, 2):
        if tables[one].shape[-2] > tables[other].shape[-2]:
            yield f"more rows in {one} than in {other}"


def fewest_axes(calls, parameters):
    """Name of an argument -> the fewest axes that it ever had; what has more of them has batch axes."""
    least = {}
    for call in calls:
        for name, array in given(call, parameters).items():
            least[name] = min(least.get(name, array.ndim), array.ndim)
    return least


def sizes(call, parameters):
    """Words that a limit follows -> how much of that a call's arguments have."""
    named = arguments_of(call, parameters)
    arrays = {name: array for name, array in given(call, parameters).items() if array.dtype != bool and array.size}
    found = {f"{name} above": value for name, value in named.items() if type(value) is int}
    numbers = [array for array in arrays.values() if array.ndim]
    if numbers:
        found["numbers above"] = max(float(array.max()) for array in numbers)
        found["numbers further from 0 than"] = max(float(np.abs(array).max()) for array in numbers)
        found["an axis longer than"] = max(max(array.shape) for array in numbers)
    return found
