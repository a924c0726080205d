"""Preparation of calls: arguments from received values, which are compared after the call, and filled new memory."""

import functools
import locale
import os
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .values import Harness, NewAxes, Stream, Tensor, TextFile


def materialize(value: object, requires_grad: bool = False) -> Any:
    """Return a new argument for a received value. With `requires_grad`, all float tensors require gradients."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(materialize(part, requires_grad) for part in value)
    if isinstance(value, dict):
        return {key: materialize(part, requires_grad) for key, part in value.items()}
    if isinstance(value, Tensor):
        import torch  # noqa: PLC0415  (slow, and NumPy chapters never need it)

        tensor = torch.from_numpy(value.array.copy(order="F" if value.apart else "C"))
        return tensor.requires_grad_((requires_grad or value.requires_grad) and tensor.is_floating_point())
    if isinstance(value, TextFile):
        path = os.path.join(_make_folder(), value.name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(value.text)
        locale.setlocale(locale.LC_CTYPE, "C")  # Files that are opened without an encoding are now read as ASCII.
        return pathlib.Path(path) if value.as_path else path
    if isinstance(value, Stream):
        return iter(materialize(value.items, requires_grad))
    if isinstance(value, NewAxes):
        import matplotlib.pyplot as plt  # noqa: PLC0415  (slow, and few exercises draw)

        _, axes = plt.subplots()
        plt.figure()  # Now the passed Axes are not the current ones, to reveal answers that draw with `plt`.
        return axes
    return value


def _make_folder() -> str:
    """Create a folder for a file. Its name is always the same, because a result or an error may contain the path."""
    folder = os.path.join(tempfile.gettempdir(), "files")
    try:
        os.mkdir(folder, 0o700)
    except OSError:  # An answer has created a folder or file of this name.
        return tempfile.mkdtemp()
    return folder


def close_figures() -> None:
    """Close the figures of earlier calls and cells, like a notebook, so that two pictures are never drawn into one."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if canvas := sys.modules.get("worker.canvas"):
        canvas.done_to_figures.clear()


def remove_files(arguments: Sequence, new_values: Sequence) -> None:
    for old, new in zip(arguments, new_values, strict=True):
        if isinstance(old, TextFile):
            shutil.rmtree(os.path.dirname(new), ignore_errors=True)
            locale.setlocale(locale.LC_CTYPE, "")


def is_unchanged(old: Any, new: Any) -> bool:
    """Return whether an argument (`new`) still equals the received value (`old`) exactly. NaN equals NaN."""
    if isinstance(old, np.ndarray):
        return isinstance(new, np.ndarray) and _are_identical(old, new)
    if isinstance(old, Tensor):
        return hasattr(new, "detach") and _are_identical(old.array, new.detach().numpy())
    if isinstance(old, (list, tuple)):
        return type(new) is type(old) and len(old) == len(new) and all(map(is_unchanged, old, new))
    if isinstance(old, dict):
        return type(new) is dict and list(old) == list(new) and all(is_unchanged(old[key], new[key]) for key in old)
    if isinstance(old, (Harness, NewAxes, Stream, TextFile)):
        return True  # Answers may draw on Axes and consume a stream.
    return type(old) is type(new) and repr(old) == repr(new)


def _are_identical(old: np.ndarray, new: np.ndarray) -> bool:
    return old.dtype == new.dtype and old.shape == new.shape and old.tobytes() == new.tobytes()


GARBAGE = 12345.0  # finite, so that an answer can mask it by multiplying by 0: infinity or NaN would give NaN
MAX_FILLED_BYTES = 64 << 20  # larger arrays are not filled, because that takes long and no exercise needs them


def fill_new_memory() -> None:
    """Fill uninitialised memory (`np.empty` and similar) with garbage from now on, so that it is never zero by chance.

    So an answer that does not fill such memory is always wrong, and not only sometimes. The numbers differ, because
    equal weights would cancel out in an average.
    """
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
    kind = array.dtype.kind
    if kind in "iu":
        array.fill(min(GARBAGE, np.iinfo(array.dtype).max))
    elif kind in "bfc":
        array.fill(GARBAGE)
        array.flat[1::3] = False if kind == "b" else -GARBAGE
    return array


def _fill_tensor(tensor: Any) -> Any:
    torch = sys.modules["torch"]
    if not tensor.numel() or tensor.device.type != "cpu":
        return tensor
    with torch.no_grad():
        if tensor.is_floating_point() or tensor.is_complex() or tensor.dtype is torch.bool:
            tensor.fill_(GARBAGE)
            if tensor.dim():
                tensor[..., 1::3] = False if tensor.dtype is torch.bool else -GARBAGE
            return tensor
        return tensor.fill_(min(int(GARBAGE), torch.iinfo(tensor.dtype).max))
