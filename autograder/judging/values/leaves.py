"""The arguments of a call that are numbers."""

import numpy as np

from autograder.judging.values.compare import holds_text
from autograder.worker.values import Tensor


def arguments_of(call, parameters):
    """Name -> argument of a call."""
    return dict(zip(parameters, call.args, strict=False)) | call.kwargs


def given(call, parameters):
    """Name -> array of the arguments of a call that are numbers."""
    return {
        name: array
        for name, value in arguments_of(call, parameters).items()
        if (array := as_numbers(value)) is not None
    }


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
