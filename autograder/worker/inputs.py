"""Turns arguments from the wire into what a learner's function takes, and sees afterwards whether it changed them."""

import locale
import os
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from .values import Harness, NewAxes, Stream, Tensor, TextFile


def revive(value: object, requires_grad: bool = False) -> Any:
    """A fresh argument, sharing nothing with the value from the wire; gradients may be wanted, whatever it says."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(revive(part, requires_grad) for part in value)
    if isinstance(value, dict):
        return {key: revive(part, requires_grad) for key, part in value.items()}
    if isinstance(value, Tensor):
        import torch  # noqa: PLC0415  (slow, and NumPy chapters never need it)

        tensor = torch.from_numpy(value.array.copy(order="F" if value.apart else "C"))
        return tensor.requires_grad_((requires_grad or value.requires_grad) and tensor.is_floating_point())
    if isinstance(value, TextFile):
        path = os.path.join(_folder(), value.name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(value.text)
        locale.setlocale(locale.LC_CTYPE, "C")  # a file that is opened without an encoding is read as ASCII
        return pathlib.Path(path) if value.as_path else path
    if isinstance(value, Stream):
        return iter(revive(value.items, requires_grad))
    if isinstance(value, NewAxes):
        import matplotlib.pyplot as plt  # noqa: PLC0415  (slow, and few exercises draw)

        _, axes = plt.subplots()
        plt.figure()  # so that the axes given are not also those that pyplot would draw into
        return axes
    return value


def _folder() -> str:
    """A folder for a file, of the same name each time: a path may come back in a result, or in an error."""
    folder = os.path.join(tempfile.gettempdir(), "files")
    try:
        os.mkdir(folder, 0o700)
    except OSError:  # an answer has kept it
        return tempfile.mkdtemp()
    return folder


def close_figures() -> None:
    """Forget what earlier calls and cells drew, as a notebook does, so that a picture never lands on another."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if canvas := sys.modules.get("worker.canvas"):
        canvas.done_to_figures.clear()


def remove_files(arguments: Sequence, fresh: Sequence) -> None:
    for old, new in zip(arguments, fresh, strict=True):
        if isinstance(old, TextFile):
            shutil.rmtree(os.path.dirname(new), ignore_errors=True)
            locale.setlocale(locale.LC_CTYPE, "")


def is_unchanged(old: Any, new: Any) -> bool:
    """Whether an argument is still what came from the wire: exact, with NaN equal to itself."""
    if isinstance(old, np.ndarray):
        return isinstance(new, np.ndarray) and _same_array(old, new)
    if isinstance(old, Tensor):
        return hasattr(new, "detach") and _same_array(old.array, new.detach().numpy())
    if isinstance(old, (list, tuple)):
        return type(new) is type(old) and len(old) == len(new) and all(map(is_unchanged, old, new))
    if isinstance(old, dict):
        return type(new) is dict and list(old) == list(new) and all(is_unchanged(old[key], new[key]) for key in old)
    if isinstance(old, (Harness, NewAxes, Stream, TextFile)):
        return True  # drawing on the axes is what they are for, and going through a stream
    return type(old) is type(new) and repr(old) == repr(new)


def _same_array(old: np.ndarray, new: np.ndarray) -> bool:
    return old.dtype == new.dtype and old.shape == new.shape and old.tobytes() == new.tobytes()
