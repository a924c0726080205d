"""The data of a picture: a result and its target as matrices, their difference, and labels of rows and columns.

The colours are nine steps of ColorBrewer's Blues and RdBu. Blues becomes steadily darker, so it is also readable in
grey. In a grey RdBu, equal positive and negative numbers look the same, so differences are printed with their sign.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from autograder.chapters.text import clean
from autograder.judging.ask.call import Call
from autograder.judging.values.compare import Mismatch, as_array
from autograder.judging.values.same import SUITE_RTOL, are_close
from autograder.worker.values import Described

_LARGEST = 64  # rows or columns to show if the result's shape differs from the target's
DIGITS, MAX_DIGITS = 3, 12  # digits of a number in a cell
TINY = 1e-12  # numbers below this share of the largest shown number are shown as 0
_LABEL = 14  # characters of a token on an axis
_WEIGHTS = ("weights", "attn_matrix")  # names of results with a row for each query and a column for each key
VALUES = ("#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b")
DIFFERENCES = ("#053061", "#2166ac", "#4393c3", "#a6cee3", "#f7f7f7", "#fbb4a0", "#d6604d", "#b2182b", "#67001f")
ODD = "#f2e6a0"  # colour of nan and infinity
STEPS = len(VALUES)


Sums = tuple[np.ndarray, np.ndarray]  # sums of the rows, and of the columns


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
    sums: Sums | None = None  # sums that are written in the margin, or None

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

    def format_sums(self) -> list[list[str]]:
        """Return the sums of the rows and of the columns as text, or an empty list if there are none."""
        return [[_format_number(item, "") for item in sums.tolist()] for sums in self.sums or ()]

    def _format_text(self, item: bool | float, mark: bool) -> str:
        if isinstance(item, bool) or not math.isfinite(item):
            return str(item)
        if item == 0 or (self.diverging and not mark):
            return "0"
        if not mark and abs(item) < TINY * max(abs(self.low), abs(self.high)):
            return "0"  # Next to 0.9, for example, 8e-232 is practically 0.
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
    rows: tuple[str, ...]  # the token of each row of the larger matrix, or its number
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()  # sentences on the shown slice and part
    shapes: tuple[str, ...] = ()  # the shapes of both results, if they differ
    rtol: float = SUITE_RTOL  # relative tolerance of the comparison
    sums: tuple[Sums, ...] = ()  # sums of the learner's result and of the target; empty if they reveal nothing
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

    def format_labels(self) -> list[list[str]]:
        """Return the labels of the rows and of the columns: tokens, or words such as "query 0"."""
        pairs = ((self.row_axis, self.rows), (self.column_axis, self.columns))
        return [[f"{axis} {label}" if label.isdigit() else label for label in labels] for axis, labels in pairs]

    def make_panels(self) -> Iterator[MatrixPanel]:
        low, high = _find_range(np.concatenate([self.yours.ravel(), self.target.ravel()]).astype(float))
        marks = np.zeros(self.yours.shape, bool) if self.different is None else self.different
        titles = [f"{name}, shape {shape}" for name, shape in zip(("yours", "target"), self.shapes, strict=False)]
        titles = titles or ["yours", "target"]
        sums = self.sums or (None, None)
        digits = self._count_digits()
        yield MatrixPanel(titles[0], self.yours, marks, low, high, digits, sums[0])
        yield MatrixPanel(titles[1], self.target, np.zeros(self.target.shape, bool), low, high, digits, sums[1])
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
        height, width = windows
        sums = tuple((of_rows[height], of_columns[width]) for of_rows, of_columns in self.sums)
        cut = replace(self, yours=yours, target=target, notes=(*self.notes, note), sums=sums)
        return replace(cut, rows=self.rows[height], columns=self.columns[width])


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
    # If the shapes differ, it is unknown which word a row belongs to.
    tokens = [] if shapes else _find_tokens(mismatch.call)
    rows, columns = (_label_axis(yours.shape[axis], target.shape[axis], tokens) for axis in (0, 1))
    if not shapes and not _differ(yours, target, mismatch.rtol).any():
        return None  # Something else is wrong, such as the type.
    sums = () if shapes or not row_axis else _sum_weights(yours, target, mismatch.rtol)
    matrices = (yours, target, row_axis, column_axis, rows, columns)
    return Picture(*matrices, notes, shapes, mismatch.rtol, sums, str(mismatch.call or ""))


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


def _sum_weights(yours: np.ndarray, target: np.ndarray, rtol: float) -> tuple[Sums, ...]:
    """Return the row and column sums of yours and target if only target's rows sum to 1; otherwise an empty tuple."""
    if "b" in (yours.dtype.kind, target.dtype.kind):
        return ()
    with np.errstate(all="ignore"):
        sums = tuple((matrix.sum(1), matrix.sum(0)) for matrix in (yours, target))
        ones = [are_close(rows, np.ones_like(rows), rtol).all() for rows, _ in sums]
    return sums if ones == [False, True] else ()


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


def _find_tokens(call: Call | None) -> list[list[str]]:
    """Return the lists of tokens among a call's arguments, in order. Those for rows precede those for columns."""
    token_lists: list[list[str]] = []
    for argument in getattr(call, "args", ()):
        words = argument.split() if isinstance(argument, str) else argument
        if isinstance(words, (list, tuple)) and words and all(isinstance(word, str) for word in words):
            token_lists.append([_shorten(word) for word in words])
    return token_lists


def _label_axis(yours: int, target: int, tokens: list[list[str]]) -> tuple[str, ...]:
    """Return as many labels as the larger count: a list of `target` tokens, removed from `tokens`, and then numbers."""
    fitting = next((words for words in tokens if len(words) == target), list[str]())
    if fitting:
        tokens.remove(fitting)
    count = max(yours, target)
    return (*fitting, *map(str, range(len(fitting), count)))


def _shorten(word: str) -> str:
    word = clean(word).replace("\n", " ")
    return word if len(word) <= _LABEL else f"{word[: _LABEL - 1]}…"
