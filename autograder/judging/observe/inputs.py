"""The arguments of a call by name."""

import numpy as np

from autograder.judging.calls import Call
from autograder.judging.values.leaves import REAL_NUMBERS, to_array


def arguments_of(call: Call, parameters: list[str]) -> dict[str, object]:
    """Name -> argument of a call."""
    return dict(zip(parameters, call.args, strict=False)) | call.kwargs


def given(call: Call, parameters: list[str]) -> dict[str, np.ndarray]:
    """Name -> array of the arguments of a call that are numbers."""
    arrays = {name: as_numbers(value) for name, value in arguments_of(call, parameters).items()}
    return {name: array for name, array in arrays.items() if array is not None}


def as_numbers(value: object) -> np.ndarray | None:
    return to_array(value, REAL_NUMBERS)
