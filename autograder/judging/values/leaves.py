"""Traversal of nested values, down to their leaves: arrays, strings and other objects."""

from collections.abc import Callable, Collection, Iterator

import numpy as np

from autograder.worker.values import Tensor

NUMBERS, REAL_NUMBERS = "biufc", "biuf"  # possible values of `dtype.kind`
_SEQUENCES = (list, tuple)
CONTAINERS = (dict, *_SEQUENCES)
_NUMERIC = (Tensor, np.ndarray, np.generic, bool, int, float, complex, *_SEQUENCES)


def iter_scalars(value: object) -> Iterator[object]:
    """Yield all nested values that are not containers."""
    if isinstance(value, CONTAINERS):
        for part in value.values() if isinstance(value, dict) else value:
            yield from iter_scalars(part)
    else:
        yield value


def has_more_parts_than(value: object, limit: int) -> bool:
    """Return whether a value has more than `limit` parts, including elements of arrays. Stops counting there."""
    parts, parts_left = [value], limit
    while parts and parts_left >= 0:
        part = parts.pop()
        part = part.array if isinstance(part, Tensor) else part
        parts_left -= part.size if isinstance(part, np.ndarray) else 1
        if isinstance(part, CONTAINERS):
            if len(part) > parts_left:
                return True
            parts += part.values() if isinstance(part, dict) else part
    return parts_left < 0


def iter_leaves(value: object) -> Iterator[object]:
    """Yield the leaves of a nested value, as arrays where possible: a list of numbers is one array."""
    array = to_array(value)
    if array is not None:
        yield array
    elif isinstance(value, CONTAINERS):
        for part in value.values() if isinstance(value, dict) else value:
            yield from iter_leaves(part)
    else:
        yield value


def pair_leaves(first: object, second: object) -> Iterator[tuple[object, object]]:
    """Yield pairs of corresponding leaves of two values, or of parts whose structures differ. Lists match tuples."""
    pairs = None
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        pairs = [(first[key], second[key]) for key in first]
    elif isinstance(first, _SEQUENCES) and isinstance(second, _SEQUENCES) and len(first) == len(second):
        is_numeric = to_array(first) is not None and to_array(second) is not None
        pairs = None if is_numeric else zip(first, second, strict=True)
    if pairs is None:
        yield first, second
    for pair in pairs or ():
        yield from pair_leaves(*pair)


def map_scalars(value: object, change: Callable[[object], object]) -> object:
    """Return a value of the same structure with `change` applied to each scalar."""
    if isinstance(value, dict):
        return {key: map_scalars(part, change) for key, part in value.items()}
    if isinstance(value, _SEQUENCES):
        return type(value)(map_scalars(part, change) for part in value)
    return change(value)


def to_array(value: object, kinds: str = NUMBERS) -> np.ndarray | None:
    """Return a tensor, array, list of numbers or number as an array, or None for any other value."""
    if isinstance(value, Tensor):
        return value.array
    # Reject text before `np.asarray`, which would make every element as wide as the longest string.
    if not isinstance(value, _NUMERIC) or has_text(value):
        return None
    try:
        array = np.asarray(value)  # an `np.matrix` becomes an array
    except ValueError:
        return None
    return array if array.dtype.kind in kinds else None


def to_arrays(values: Collection[object]) -> list[np.ndarray] | None:
    """Return the values as arrays of real numbers, or None if one of them is not numeric."""
    arrays = [array for value in values if (array := to_array(value, REAL_NUMBERS)) is not None]
    return arrays if len(arrays) == len(values) else None


def find_arrays(value: object) -> list[np.ndarray]:
    return [leaf for leaf in iter_leaves(value) if isinstance(leaf, np.ndarray)]


def find_texts(value: object) -> list[str]:
    parts = iter_scalars(list(value) if isinstance(value, dict) else value)
    return [part for part in parts if isinstance(part, str)]


def has_text(value: object) -> bool:
    return not isinstance(value, np.ndarray) and any(isinstance(part, str) for part in iter_scalars(value))


def split_results(value: object) -> list[object] | None:
    """Return several results as a list, or None for one. A list of numbers is one result, a list of arrays several."""
    if not isinstance(value, _SEQUENCES):
        return None
    is_one = to_array(value) is not None and not any(isinstance(part, (np.ndarray, Tensor)) for part in value)
    return None if is_one else [*value]
