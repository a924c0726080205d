"""One walk over values, down to what is compared, digested and told: arrays of numbers, texts and the rest."""

from collections.abc import Callable, Collection, Iterator

import numpy as np

from autograder.worker.values import Tensor

NUMBERS, REAL_NUMBERS = "biufc", "biuf"  # kinds of dtypes
_SEQUENCES = (list, tuple)
CONTAINERS = (dict, *_SEQUENCES)
_NUMERIC = (Tensor, np.ndarray, np.generic, bool, int, float, complex, *_SEQUENCES)


def scalars(value: object) -> Iterator[object]:
    """Everything that holds nothing else, however deep."""
    if isinstance(value, CONTAINERS):
        for part in value.values() if isinstance(value, dict) else value:
            yield from scalars(part)
    else:
        yield value


def has_more_than(value: object, most: int) -> bool:
    """Whether a value has more parts than that, numbers of arrays included; it counts no further."""
    parts, remaining = [value], most
    while parts and remaining >= 0:
        part = parts.pop()
        part = part.array if isinstance(part, Tensor) else part
        remaining -= part.size if isinstance(part, np.ndarray) else 1
        if isinstance(part, CONTAINERS):
            if len(part) > remaining:
                return True
            parts += part.values() if isinstance(part, dict) else part
    return remaining < 0


def leaves(value: object) -> Iterator[object]:
    """The same with an array in place of all that can be one: a list of numbers counts like the array of them."""
    array = to_array(value)
    if array is not None:
        yield array
    elif isinstance(value, CONTAINERS):
        for part in value.values() if isinstance(value, dict) else value:
            yield from leaves(part)
    else:
        yield value


def leaf_pairs(one: object, other: object) -> Iterator[tuple[object, object]]:
    """The parts of two values side by side, as far as both are built alike; a list is built like a tuple."""
    pairs = None
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(one[key], other[key]) for key in one]
    elif isinstance(one, _SEQUENCES) and isinstance(other, _SEQUENCES) and len(one) == len(other):
        is_numeric = to_array(one) is not None and to_array(other) is not None
        pairs = None if is_numeric else zip(one, other, strict=True)
    if pairs is None:
        yield one, other
    for pair in pairs or ():
        yield from leaf_pairs(*pair)


def replace_scalars(value: object, change: Callable[[object], object]) -> object:
    """A value of the same form with `change` made of each of its scalars."""
    if isinstance(value, dict):
        return {key: replace_scalars(part, change) for key, part in value.items()}
    if isinstance(value, _SEQUENCES):
        return type(value)(replace_scalars(part, change) for part in value)
    return change(value)


def to_array(value: object, kinds: str = NUMBERS) -> np.ndarray | None:
    """The numbers of a tensor, of an array, of a list of numbers or of one; None where there are none."""
    if isinstance(value, Tensor):
        return value.array
    if not isinstance(value, _NUMERIC) or holds_text(value):  # NumPy would make all as wide as the longest text
        return None
    try:
        array = np.asarray(value)  # a matrix would stay one
    except ValueError:
        return None
    return array if array.dtype.kind in kinds else None


def as_arrays(values: Collection[object]) -> list[np.ndarray] | None:
    """Each of several values as an array of real numbers; None where one of them is none."""
    arrays = [array for value in values if (array := to_array(value, REAL_NUMBERS)) is not None]
    return arrays if len(arrays) == len(values) else None


def arrays_in(value: object) -> list[np.ndarray]:
    return [leaf for leaf in leaves(value) if isinstance(leaf, np.ndarray)]


def texts_in(value: object) -> list[str]:
    return [part for part in scalars(list(value) if isinstance(value, dict) else value) if isinstance(part, str)]


def holds_text(value: object) -> bool:
    return not isinstance(value, np.ndarray) and any(isinstance(part, str) for part in scalars(value))


def results_in(value: object) -> list[object] | None:
    """Several results, one by one; None of one result. Arrays of one shape are several, though they make one array."""
    if not isinstance(value, _SEQUENCES):
        return None
    is_one = to_array(value) is not None and not any(isinstance(part, (np.ndarray, Tensor)) for part in value)
    return None if is_one else [*value]
