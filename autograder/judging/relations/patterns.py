"""What sets the calls that are wrong apart from those that are right: "every call with a mask is wrong, all others are
right". Such a sentence holds for the calls that were made, and says so."""

import re

import numpy as np

from autograder.judging.compare import holds_text
from autograder.worker.values import Tensor

_WEAK = ("an argument", "a batch axis", "more than one batch axis", "a row that may attend to nothing")
LARGE = 50.0  # above the usual inputs, and not yet where exponentials overflow


def pattern(calls, wrong, parameters):
    """A sentence on what the wrong calls have in common and no right one has, or an empty string.

    Parameters
    ----------
    calls : list of autograder.judging.calls.Call
        Of one kind: all of the function, or all of one method.
    wrong : list of bool
    parameters : list of str
        Names of the arguments, in order.
    """
    if all(wrong) or not any(wrong):
        return ""
    least = _least_axes(calls, parameters)
    features = [_features(call, parameters, least) for call in calls]
    bad = [each for each, is_wrong in zip(features, wrong, strict=True) if is_wrong]
    good = [each for each, is_wrong in zip(features, wrong, strict=True) if not is_wrong]
    shared = [words for words in bad[0] if all(words in each for each in bad)]
    for words in shared:
        if not any(words in each for each in good):
            return f"Of the calls tried, all with {words} are wrong, and all without are right."
    for words in (words for words in shared if words.startswith(_WEAK)):
        without = sum(words not in each for each in good)
        if without > 1:
            return f"Of the calls tried, all without {words} are right; those that are wrong all have it."
    return ""


_OF_VALUES = {
    "a list of lists": lambda value: isinstance(value, list) and any(isinstance(part, list) for part in value),
    "a list in place of an array": lambda value: isinstance(value, list) and as_numbers(value) is not None,
    "a tuple in place of an array": lambda value: isinstance(value, tuple) and as_numbers(value) is not None,
    "capital letters": lambda value: any(text != text.lower() for text in _texts(value)),
    "letters beyond ASCII": lambda value: any(not text.isascii() for text in _texts(value)),
    "digits": lambda value: any(letter.isdigit() for text in _texts(value) for letter in text),
    "something empty": lambda value: isinstance(value, (str, list, tuple, dict)) and not value,
}
_OF_ARRAYS = {
    "nan": lambda array: np.isnan(array).any(),
    f"numbers above {LARGE:.0f}": lambda array: array.max() > LARGE,
    f"numbers below -{LARGE:.0f}": lambda array: array.min() < -LARGE,
    "integers": lambda array: array.dtype.kind in "iu" and array.ndim > 0,
    "negative numbers": lambda array: array.min() < 0,
    "numbers that are no short fractions": lambda array: array.dtype.kind == "f" and (array * 64 % 1 != 0).any(),
    "fractions": lambda array: array.dtype.kind == "f" and (array % 1 != 0).any(),
    "float32": lambda array: array.dtype == np.float32,
    "as many rows as columns": lambda array: array.ndim > 1 and array.shape[-1] == array.shape[-2],
    "other numbers of rows and of columns": lambda array: array.ndim > 1 and array.shape[-1] != array.shape[-2],
}


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for part in value:
            yield from _texts(part)


def _features(call, parameters, least):
    """What a call's arguments have, in words that follow "with", the most telling first."""
    named = dict(zip(parameters, call.args, strict=False)) | call.kwargs
    arrays = given(call, parameters)
    real = [array for array in arrays.values() if array.dtype != bool]
    found = [f"an argument {name}" for name, value in named.items() if value is not None]
    found += [words for words, holds in _OF_VALUES.items() if any(map(holds, named.values()))]
    found += [words for words, holds in _OF_ARRAYS.items() if any(array.size and holds(array) for array in real)]
    found += ["an empty argument"] * any(not array.size for array in arrays.values())
    found += ["an axis of length 1"] * any(1 in array.shape for array in arrays.values())
    extra = max((array.ndim - least[name] for name, array in arrays.items()), default=0)
    found += ["a batch axis"] * (extra > 0) + ["more than one batch axis"] * (extra > 1)
    masks = [array for array in arrays.values() if array.dtype == bool and array.ndim]
    found += ["a row that may attend to nothing"] * any(not mask.any(-1).all() for mask in masks)
    return found


def _least_axes(calls, parameters):
    """Name of an argument -> the fewest axes that it ever had; what has more of them has batch axes."""
    least = {}
    for call in calls:
        for name, array in given(call, parameters).items():
            least[name] = min(least.get(name, array.ndim), array.ndim)
    return least


def given(call, parameters):
    """Name -> array of the arguments of a call that are numbers."""
    named = dict(zip(parameters, call.args, strict=False)) | call.kwargs
    return {name: array for name, value in named.items() if (array := as_numbers(value)) is not None}


def named_shapes(stub):
    """Name of an argument -> its shape in letters, from the docstring: ``queries : Tensor, shape (..., n_q, d)``."""
    found = {}
    for names, shape in re.findall(r"^ +(\w+(?:, \w+)*) : [^\n]*?shapes? (\([^)]*\))", stub, re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), shape)
    return found


def lengths(stub, arrays):
    """Letter of an axis -> its length in a call, counted from the end, where it has one only."""
    found = {}
    for name, shape in named_shapes(stub).items():
        letters = re.findall(r"[A-Za-z_]\w*", shape)
        if name in arrays and len(letters) <= arrays[name].ndim:
            sizes = arrays[name].shape[arrays[name].ndim - len(letters) :]
            if any(found.get(letter, size) != size for letter, size in zip(letters, sizes, strict=True)):
                return {}
            found |= dict(zip(letters, sizes, strict=True))
    return found


def returned_axes(stub):
    """The letters of the axes of each result that the docstring names: ``Tensor, shape (..., n_q, n_k)``."""
    told = stub.partition("Returns\n")[2]
    return [re.findall(r"[A-Za-z_]\w*", shape) for shape in re.findall(r"shape (\([^)]*\))", told)]


def names_of_results(stub, count):
    """What an exercise calls each of so many results; their numbers where it gives no names."""
    for section in re.findall(r"Returns\n +-+\n(.*?)(?=\n\n|\n +\"{3})", stub, re.DOTALL):
        lines = section.split("\n")
        least = min(len(line) - len(line.lstrip()) for line in lines)
        names = [
            name for line in lines if not line[least].isspace() for name in line.partition(" : ")[0].strip().split(", ")
        ]
        if len(names) == count > 1 and " : " in section:
            return names
    return [f"result {number}" for number in range(1, count + 1)]


def as_numbers(value):
    """The numbers of an argument as an array, or None where it has none."""
    if isinstance(value, Tensor):
        return value.array
    if isinstance(value, (np.ndarray, list, tuple, bool, int, float)) and not holds_text(value):
        try:
            array = np.asarray(value)
        except ValueError:
            return None
        return array if array.dtype.kind in "biuf" else None
    return None


def are_several(value):
    """Whether a value is made of several results: arrays of one shape could be taken for one array."""
    if not isinstance(value, (tuple, list)):
        return False
    return as_numbers(value) is None or any(isinstance(each, (np.ndarray, Tensor)) for each in value)
