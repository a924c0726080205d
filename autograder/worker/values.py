"""Descriptions, in plain data, of values that cannot be sent as such."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Opaque:
    """A value that cannot be serialised: only its type's name and its repr are sent."""

    type_name: str
    text: str = ""


@dataclass(frozen=True)
class Omitted:
    shape: tuple
    dtype: str


@dataclass(frozen=True, eq=False)
class Tensor:
    """A torch tensor as plain data: neither side needs torch to read it."""

    array: np.ndarray
    requires_grad: bool = False
    apart: bool = False  # whether to make the tensor non-contiguous, as after a transpose


@dataclass(frozen=True)
class TextFile:
    """A placeholder for a file: the worker writes it and passes its path, a string or a `pathlib.Path`."""

    name: str
    text: str
    as_path: bool = False


@dataclass(frozen=True)
class NewAxes:
    """A placeholder for empty Matplotlib Axes."""


@dataclass(frozen=True)
class Stream:
    """A placeholder for an iterator, which has no length and can be consumed once."""

    items: list


@dataclass(frozen=True, eq=False)
class Harness:
    """A placeholder for an argument that cannot be serialised: `worker.harness` builds it and calls the answer."""

    name: str  # key of the class in `worker.harness.HARNESSES`
    text: str  # how a message shows the argument, such as "model, optimizer"
    settings: dict
    # Bounds of random results. They are never sent, because they reveal what is expected (`judging.ask.call`).
    between: tuple[np.ndarray, np.ndarray] | None = None


@dataclass(frozen=True)
class Described:
    """The description of an object that cannot be serialised: a torch module or Matplotlib Axes (`worker.describe`)."""

    kind: str
    parts: dict


@dataclass(frozen=True)
class ObjectArray:
    shape: tuple
    items: list
