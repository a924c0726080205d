"""The data of a picture: a result and its target as matrices, their difference, and labels of rows and columns.

The colours are nine steps of ColorBrewer's Blues and RdBu. Blues becomes steadily darker, so it is also readable in
grey. In a grey RdBu, equal positive and negative numbers look the same, so differences are printed with their sign.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from autograder.judging.values.compare import Mismatch, as_array
from autograder.judging.values.same import SUITE_RTOL, are_close
from autograder.worker.values import Described

_LARGEST = 64  # rows or columns to show if the result's shape differs from the target's
DIGITS, MAX_DIGITS = 3, 12  # digits of a number in a cell
_WEIGHTS = ("weights", "attn_matrix")  # names of results with a row for each query and a column for each key
VALUES = ("#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b")
DIFFERENCES = ("#053061", "#2166ac", "#4393c3", "#a6cee3", "#f7f7f7", "#fbb4a0", "#d6604d", "#b2182b", "#67001f")
ODD = "#f2e6a0"  # colour of nan and infinity
STEPS = len(VALUES)


def choose_ink(colour: str) -> str:
    """Return the text colour, black or white, that is easier to read on this background colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


@dataclass(frozen=True)
class MatrixPanel:
    title: str  # "yours", "target" or "difference", with the shape if shapes differ
    values: np.ndarray  # a matrix of float64 or bool
    marks: np.ndarray  # True where yours and target differ; all False in the panel of the target
    low: float  # lower end of the colour scale; "yours" and "target" have the same scale
    high: float  # upper end of the colour scale; in the panel of the difference, 0 is in the middle
    digits: int = DIGITS

    @property
    def diverging(self) -> bool:
        return self.title.startswith("difference")

    def format_numbers(self) -> list[list[str]]:
        pairs = zip(self.values.tolist(), self.marks.tolist(), strict=True)
        return [[self._format_text(item, mark) for item, mark in zip(*pair, strict=True)] for pair in pairs]

    def find_colour_levels(self, count: int) -> np.ndarray:
        """Return each cell's step on a colour scale with an odd number of steps, or -1 if the cell is not finite."""
        # Divide by 2, because the range between very large floats would overflow.
        is_finite, middle = np.isfinite(self.values), self.low / 2
        share = (np.where(is_finite, self.values, self.low) / 2 - middle) / (self.high / 2 - middle or 1.0)
        levels = np.clip(share * count, 0, count - 1).astype(int)
        if self.diverging:  # The middle colour is reserved for equal numbers.
            levels += np.where(self.marks & is_finite & (levels == count // 2), np.sign(self.values), 0).astype(int)
        return np.where(is_finite, levels, -1)

    def _format_text(self, item: bool | float, mark: bool) -> str:
        if isinstance(item, bool) or not math.isfinite(item):
            return str(item)
        if item == 0 or (self.diverging and not mark):
            return "0"
        return _format_number(item, "+" if self.diverging else "", self.digits)


def _format_number(item: float, sign: str, digits: int = DIGITS) -> str:
    if abs(item) >= 1 or not math.isfinite(item):
        return f"{item:{sign}.{digits}g}"
    short = f"{item:{sign}.{digits}f}"
    if float(short) == 0:
        return f"{item:{sign}.0e}" if item else "0"
    return short.rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Picture:
    """A wrong result (`yours`) and the correct one (`target`) as matrices, with labels and notes."""

    yours: np.ndarray  # matrix of float64 or bool; a vector has one row
    target: np.ndarray
    row_axis: str  # name of the rows, such as "query"; empty for a vector
    column_axis: str
    rows: range  # numbers of the shown rows of the larger matrix
    columns: range
    notes: tuple[str, ...] = ()  # sentences on the shown slice and part
    shapes: tuple[str, ...] = ()  # the shapes of both results, if they differ
    rtol: float = SUITE_RTOL  # relative tolerance of the comparison
    call: str = ""  # the call that returned the wrong result

    @property
    def different(self) -> np.ndarray | None:
        """Return a mask of the elements that differ, or None if the shapes differ."""
        return None if self.shapes else _differ(self.yours, self.target, self.rtol)

    @property
    def summary(self) -> str:
        different, size = self.different, self.target.size
        if different is None:
            return f"The shapes differ: yours {self.shapes[0]}, target {self.shapes[1]}."
        count = int(different.sum())
        return f"{count} of {size} number{'s' * (size != 1)} differ{'s' * (count == 1)}."

    def make_panels(self) -> Iterator[MatrixPanel]:
        low, high = _find_range(np.concatenate([self.yours.ravel(), self.target.ravel()]).astype(float))
        marks = np.zeros(self.yours.shape, bool) if self.different is None else self.different
        titles = [f"{name}, shape {shape}" for name, shape in zip(("yours", "target"), self.shapes, strict=False)]
        titles = titles or ["yours", "target"]
        digits = self._count_digits()
        yield MatrixPanel(titles[0], self.yours, marks, low, high, digits)
        yield MatrixPanel(titles[1], self.target, np.zeros(self.target.shape, bool), low, high, digits)
        if self.different is not None and self.target.dtype.kind != "b":
            with np.errstate(all="ignore"):
                gap = np.where(marks, self.yours.astype(float) - self.target.astype(float), 0.0)
            size = float(np.abs(gap[np.isfinite(gap)]).max(initial=0.0)) or 1.0
            yield MatrixPanel("difference", gap, marks, -size, size)

    def _count_digits(self) -> int:
        """Return the smallest number of digits with which every marked number differs from its target."""
        if self.different is None or "b" in (self.yours.dtype.kind, self.target.dtype.kind):
            return DIGITS
        pairs = np.stack([self.yours, self.target], -1)[self.different][:_LARGEST].tolist()
        for digits in range(DIGITS, MAX_DIGITS):
            if all(_format_number(yours, "", digits) != _format_number(target, "", digits) for yours, target in pairs):
                return digits
        return MAX_DIGITS

    def crop(self, rows: int, columns: int) -> "Picture":
        """Return a part of the picture, at most this large, that contains the first difference."""
        first = np.argwhere(self.different)[:1] if self.different is not None else np.zeros((0, 2), int)
        corner = first[0].tolist() if len(first) else [0, 0]
        windows: list[slice] = []
        notes: list[str] = []
        sides = zip(("row", "column"), (self.rows, self.columns), corner, (rows, columns), strict=True)
        for name, labels, position, size in sides:
            start = int(max(0, min(position - size // 2, len(labels) - size)))
            windows.append(slice(start, start + size))
            if len(labels) > size:
                notes.append(f"{name}s {start} to {start + size - 1}" + f" of {len(labels)}" * (not self.shapes))
        if not notes:
            return self
        note = f"Shown: {', '.join(notes)}."
        yours, target = self.yours[tuple(windows)], self.target[tuple(windows)]
        rows_shown, columns_shown = self.rows[windows[0]], self.columns[windows[1]]
        return replace(
            self, yours=yours, target=target, notes=(*self.notes, note), rows=rows_shown, columns=columns_shown
        )


def make_picture(mismatch: Mismatch | None) -> Picture | None:
    """Return the picture of a mismatch, or None if it lacks an array or its message already shows everything."""
    if mismatch is None:
        return None
    yours, target = map(_convert_to_numbers, _find_two_values(mismatch))
    if yours is None or target is None or not (yours.size and target.size):
        return None
    if yours.size == target.size == 1 and yours.shape == target.shape:
        return None  # The message already shows this one number.
    notes: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    if yours.shape != target.shape:
        shapes = str(yours.shape), str(target.shape)
        yours, target = _crop_corner(yours), _crop_corner(target)
    elif target.ndim > 2:
        place = _find_first_slice(_differ(yours, target, mismatch.rtol))
        notes = (f"Slice [{', '.join(map(str, place))}] of shape {target.shape}, the first that differs.",)
        yours, target = yours[place], target[place]
    row_axis, column_axis = _name_axes(mismatch, max(yours.ndim, target.ndim))
    yours, target = _convert_to_matrix(yours), _convert_to_matrix(target)
    rows, columns = (range(max(yours.shape[axis], target.shape[axis])) for axis in (0, 1))
    if not shapes and not _differ(yours, target, mismatch.rtol).any():
        return None  # Something else is wrong, such as the type.
    matrices = (yours, target, row_axis, column_axis, rows, columns)
    return Picture(*matrices, notes, shapes, mismatch.rtol, str(mismatch.call or ""))


def _find_two_values(mismatch: Mismatch) -> tuple[object, object]:
    """Return the returned and the expected value. For Axes, these are the drawn matrix and the matrix to draw."""
    value = getattr(mismatch.call, "value", None)
    if not (isinstance(value, Described) and value.kind == "axes"):
        return mismatch.got, mismatch.expected
    drawing = value.parts.get("drawn")
    matrices = [arg for arg in mismatch.call.args if np.ndim(arg) == 2]
    return (drawing.get("values"), matrices[0]) if isinstance(drawing, dict) and matrices else (None, None)


def _find_first_slice(is_different: np.ndarray) -> tuple[int, ...]:
    """Return the batch index of the first matrix that contains a difference, or zeros if none does."""
    places = np.argwhere(is_different)
    return tuple(map(int, places[0][:-2])) if len(places) else (0,) * (is_different.ndim - 2)


def _convert_to_numbers(value: object) -> np.ndarray | None:
    """Return a value as an array of real numbers or Booleans, or None if that is impossible."""
    if value is None or isinstance(value, (tuple, dict)):
        return None
    try:
        array = np.asarray(as_array(value))
    except Mismatch:
        return None
    return None if array.dtype.kind == "c" else array


def _convert_to_matrix(array: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.atleast_2d(array if array.dtype.kind == "b" else array.astype(np.float64))


def _crop_corner(array: np.ndarray) -> np.ndarray:
    """Return the top left corner of the first matrix, because a wrong result may be huge."""
    return array[(0,) * max(0, array.ndim - 2)][(slice(_LARGEST),) * min(2, array.ndim)]


def _differ(yours: np.ndarray, target: np.ndarray, rtol: float) -> np.ndarray:
    return ~are_close(yours.astype(float), target.astype(float), rtol)


def _find_range(values: np.ndarray) -> tuple[float, float]:
    numbers = values[np.isfinite(values)]
    return (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 1.0)


def _name_axes(mismatch: Mismatch, dimensions: int) -> tuple[str, str]:
    if dimensions < 2:
        return "", "index"
    if mismatch.axes:
        return mismatch.axes[0], mismatch.axes[1]
    return ("query", "key") if mismatch.part in _WEIGHTS else ("row", "column")
