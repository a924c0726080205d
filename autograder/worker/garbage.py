"""Garbage that fills uninitialised memory (`np.empty` and similar), so that it is never zero by chance.

So an answer that does not fill such memory is always wrong, and not only sometimes.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

GARBAGE = 12345.0  # finite, so that an answer can mask it by multiplying by 0: infinity or NaN would give NaN
MAX_FILLED_BYTES = 64 << 20  # larger arrays are not filled, because that takes long and no exercise needs them


def fill_new_memory() -> None:
    """Replace NumPy's allocating functions (and torch's, if it is imported) with functions that fill the memory."""
    _wrap_functions(np, ("empty", "empty_like"), _fill_array)
    if torch := sys.modules.get("torch"):
        _wrap_functions(torch, ("empty", "empty_like", "empty_strided"), _fill_tensor)
        _wrap_functions(torch.Tensor, ("new_empty",), _fill_tensor)


def _wrap_functions(holder: object, names: tuple[str, ...], fill: Callable) -> None:
    for name in names:
        setattr(holder, name, _make_filling_function(getattr(holder, name), fill))


def _make_filling_function(make: Callable, fill: Callable) -> Callable:
    @functools.wraps(make)
    def make_and_fill(*args: object, **kwargs: object) -> Any:
        result = make(*args, **kwargs)
        return result if result.nbytes > MAX_FILLED_BYTES else fill(result)

    return make_and_fill


def _fill_array(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "biufc":
        array.fill(min(GARBAGE, np.iinfo(array.dtype).max) if array.dtype.kind in "iu" else GARBAGE)
    if array.dtype == bool:
        array.flat[::3] = False  # so that True and False both occur
    return array


def _fill_tensor(tensor: Any) -> Any:
    torch = sys.modules["torch"]
    if not tensor.numel() or tensor.device.type != "cpu":
        return tensor
    with torch.no_grad():
        if tensor.dtype is torch.bool:
            return tensor.copy_(torch.arange(tensor.numel()).reshape(tensor.shape) % 3 > 0)
        if tensor.is_floating_point() or tensor.is_complex():
            return tensor.fill_(GARBAGE)
        return tensor.fill_(min(int(GARBAGE), torch.iinfo(tensor.dtype).max))
