"""What the arguments of a call have, in words."""

from autograder.judging.ask.call import Call
from autograder.judging.observe.comparison import arguments_of, arrays_of
from autograder.judging.values.leaves import REAL_NUMBERS, to_array

NO_SHORT_FRACTIONS = "numbers that are no short fractions"  # what is drawn; what a suite types is short


def features(call: Call, parameters: list[str], fewest: dict[str, int]) -> list[str]:
    """What a call's arguments have, in words that follow "with", the most telling first."""
    named, arrays = arguments_of(call, parameters), arrays_of(call, parameters)
    extra = max((array.ndim - fewest[name] for name, array in arrays.items()), default=0)
    real = [array for array in arrays.values() if array.dtype.kind == "f"]
    words = [f"an argument {name}" for name, value in named.items() if value is not None]
    words += ["a list of lists"] * any(_is_nested(value) for value in named.values())
    words += [NO_SHORT_FRACTIONS] * any((array * 64 % 1 != 0).any() for array in real)
    words += [f"an empty {name}" for name, value in named.items() if _is_empty(value)]
    words += ["an axis of length 1"] * any(1 in array.shape for array in arrays.values())
    words += ["a batch axis"] * (extra > 0)
    masks = {name: array for name, array in arrays.items() if array.dtype == bool}
    return words + [f"{array.ndim} axes in {name}" for name, array in masks.items() if array.ndim > 1]


def _is_nested(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(part, list) for part in value)


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


def longest_axis(call: Call, parameters: list[str]) -> int:
    arrays = (array for array in arrays_of(call, parameters).values() if array.dtype != bool and array.size)
    return max((max(array.shape, default=0) for array in arrays), default=0)
