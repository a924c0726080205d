"""Values that cross the wire and are no plain data: what they were, told in plain data."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Opaque:
    """A value that is not plain data: only its type's name and its printed form came across."""

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
    apart: bool = False  # whether the numbers of a row are to lie apart in memory, as if all axes had been turned


@dataclass(frozen=True)
class TextFile:
    """An argument that is to be a file: the worker writes it and passes on its path, a string or a `pathlib.Path`."""

    name: str
    text: str
    as_path: bool = False


@dataclass(frozen=True)
class NewAxes:
    """An argument that is to be empty Matplotlib Axes."""


@dataclass(frozen=True)
class Stream:
    """An argument that is to be an iterator: it has no length, and can be gone through once."""

    items: list


@dataclass(frozen=True, eq=False)
class Harness:
    """An argument that cannot travel: `worker.harness` makes it, and calls the answer with it."""

    name: str  # of the harness there
    text: str  # what stands in the call where a learner reads it: "model, optimizer"
    settings: dict
    # Where the numbers that come back depend on chance: from where to where they are right. The grader keeps these
    # (`judging.ask.call`), for they tell what is expected.
    between: tuple[np.ndarray, np.ndarray] | None = None


@dataclass(frozen=True)
class Described:
    """An object that cannot travel, described: a torch module or Matplotlib Axes (`worker.describe`)."""

    kind: str
    parts: dict


@dataclass(frozen=True)
class ObjectArray:
    shape: tuple
    items: list
