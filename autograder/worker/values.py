"""Plain data in place of values that cannot be serialised."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Opaque:
    """An object that cannot be serialised, described by the name of its type and its repr."""

    type_name: str
    text: str = ""


@dataclass(frozen=True)
class Omitted:
    shape: tuple
    dtype: str


@dataclass(frozen=True, eq=False)
class Tensor:
    """A torch tensor as plain data, so that the grader can read it without torch."""

    array: np.ndarray
    requires_grad: bool = False
    apart: bool = False  # whether to make the tensor non-contiguous, as after a transpose


@dataclass(frozen=True)
class TextFile:
    """A placeholder for a text file. The worker writes it and passes its path, as a string or (`as_path`) a `Path`."""

    name: str
    text: str
    as_path: bool = False


@dataclass(frozen=True)
class NewAxes:
    """A placeholder for empty Matplotlib Axes, which the worker creates."""


@dataclass(frozen=True)
class Stream:
    """A placeholder for an iterator over `items`, which the worker creates. It can be consumed only once."""

    items: list


@dataclass(frozen=True, eq=False)
class Harness:
    """A placeholder for an argument that cannot be serialised. `worker.harness` creates this argument for the call."""

    name: str  # key of the class in `worker.harness.HARNESSES`
    text: str  # how a message shows the argument, such as "model, optimizer"
    settings: dict
    # Bounds of a random result. They are never sent to the worker, because they reveal what is expected.
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
