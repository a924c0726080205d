"""Drawings that several chapters share: boxes and arrows, products of matrices, lines between words.

Each function draws its arguments on Matplotlib Axes and computes no results. The numbers come from the functions of the
chapter.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

# Each concept has the same colour in all chapters. Colour-blind readers can distinguish the colours, and text is black.
QUERY, KEY, VALUE, LIT, NORM = "#3fa7b8", "#d3bff5", "#f0d264", "#ef8420", "#c3cad0"
PALE = "#eeeeee"
INK = "black"  # text on colours; text on white has the colour of all other text
# Weights are drawn in "Oranges". Scores and other numbers that may be negative are blue below 0 and orange above.
SIGNED = LinearSegmentedColormap.from_list("signed", ["#2b5f9e", "white", "#d9660b"])
# `plt.style.use(STYLE)` gives all plots, also those of learners, the same hues, dark enough for lines.
STYLE = {
    "axes.prop_cycle": cycler(color=["#0b7285", "#d9480f", "#7c4dd1", "#d9a900", "#868e96", "#a61e4d"]),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "image.cmap": "Oranges",
    "legend.edgecolor": "none",
    "legend.fontsize": 9,
    **dict.fromkeys(["xtick.major.size", "ytick.major.size"], 0),
}


def canvas(width: float, height: float, title: str = "", rows: int = 1, columns: int = 1) -> Any:
    """Create a figure for drawings, with its width and height in inches, and return its Axes without frame and scale.

    Returns
    -------
    Axes, or an array of Axes if there are several.
    """
    _, axes = plt.subplots(rows, columns, figsize=(width, height), layout="constrained")
    for axis in np.ravel(axes):
        axis.axis("off")
    if title:
        plt.gcf().suptitle(title)
    return axes


def box(axis: Axes, x: float, y: float, text: str, colour: str = "white", **look: Any) -> None:
    """Draw a text in a rounded box, centred at a point."""
    frame = {"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": "grey"}
    axis.text(x, y, text, **{"ha": "center", "va": "center", "color": _ink(colour), "bbox": frame, **look})


def arrow(axis: Axes, start: ArrayLike, end: ArrayLike, **look: Any) -> None:
    """Draw an arrow from one point to another, with gaps at its ends for boxes."""
    arrow = {"arrowstyle": "-|>", "color": "grey", "shrinkA": 14, "shrinkB": 14, **look}
    axis.annotate("", end, start, arrowprops=arrow)


def grid(
    axis: Axes,
    x: float,
    y: float,
    numbers: ArrayLike,
    colour: str = PALE,
    lit: ArrayLike | None = None,
    fmt: str = "{:g}",
    size: float = 10,
) -> None:
    """Draw a matrix as cells, with its upper left corner at a point. Lit cells are coloured.

    Parameters
    ----------
    axis : Axes
        Axes on which y grows downwards. A cell is one unit wide and high.
    x, y : float
    numbers : array_like, shape (n, m)
    colour : str
        The colour of lit cells.
    lit : array_like of bool, broadcastable to (n, m), optional
        The cells that are lit. By default, all are.
    """
    numbers = np.asarray(numbers)
    lit = np.broadcast_to(True if lit is None else lit, numbers.shape)
    for (row, column), number in np.ndenumerate(numbers):
        face = colour if lit[row, column] else "white"
        axis.add_patch(Rectangle((x + column, y + row), 1, 1, facecolor=face, edgecolor="grey"))
        look = {"color": _ink(face)} | ({} if lit[row, column] else {"alpha": 0.65})
        axis.text(x + column + 0.5, y + row + 0.5, fmt.format(number), ha="center", va="center", fontsize=size, **look)


def shades(colour: str) -> LinearSegmentedColormap:
    """Return a colour map for a heat map, from white to this colour."""
    return LinearSegmentedColormap.from_list(colour, ["white", colour])


def product(
    axis: Axes,
    left: ArrayLike,
    right: ArrayLike,
    result: ArrayLike,
    row: int,
    column: int,
    names: tuple[str, str, str],
    fmt: str = "{:g}",
    labels: tuple[Sequence[str], Sequence[str]] | None = None,
    size: float = 10,
    colours: tuple[str, str] = (QUERY, KEY),
) -> None:
    """Draw a matrix product as cells: one number of the result is lit, and the row and column that it comes from.

    The left matrix is to the left of the result and the right matrix above it, so that the row is to the left of this
    number and the column above it.

    Parameters
    ----------
    axis : Axes
    left, right, result : array_like, shapes (n, d), (d, m) and (n, m)
    row, column : int
        The position of the lit number in the result.
    names : tuple of str
        The names of the three matrices.
    labels : tuple of two lists of str, optional
        Labels for the rows of the left matrix and for the columns of the right one.
    colours : tuple of two str
        The colours of the lit row and the lit column.
    """
    left, right, result = (np.atleast_2d(np.asarray(matrix)) for matrix in (left, right, result))
    (n, d), m = left.shape, right.shape[1]
    grid(axis, 0, d + 0.5, left, colours[0], np.arange(n)[:, None] == row, fmt, size)
    grid(axis, d + 0.5, 0, right, colours[1], np.arange(m) == column, fmt, size)
    here = (np.arange(n)[:, None] == row) & (np.arange(m) == column)
    grid(axis, d + 0.5, d + 0.5, result, LIT, here, fmt, size)
    rows, columns = labels or ([], [])
    for place, label in enumerate(rows):
        axis.text(-0.15, d + 1 + place, label, ha="right", va="center")
    for place, label in enumerate(columns):
        axis.text(d + 1 + place, -0.15, label, ha="left" if len(label) > 3 else "center", va="bottom", rotation=35)
    axis.text(d / 2, d + 0.35, names[0], ha="center", va="bottom", weight="bold")
    axis.text(d + 0.3, d / 2, names[1], ha="right", va="center", weight="bold")
    axis.text(d + 0.5 + m / 2, d + 0.65 + n, names[2], ha="center", va="top", weight="bold")
    axis.set(xlim=(-0.2, d + m + 0.7), ylim=(d + n + 1.6, -0.2), aspect="equal")


def lines(axis: Axes, words: Sequence[str], weights: Sequence[float], query: int, colour: str = LIT) -> None:
    """Draw lines from one word on the left to all words on the right, which are thicker for larger weights.

    Parameters
    ----------
    axis : Axes
    words : list of str, length n
    weights : array_like, shape (n,)
        The attention weights of the word on the left.
    query : int
        The index of this word.
    """
    for place, (word, weight) in enumerate(zip(words, weights, strict=True)):
        look = {"weight": "bold"} if place == query else {"alpha": 0.6}
        axis.text(0, place, f"{word} ", ha="right", va="center", **look)
        axis.text(1, place, f" {word}", ha="left", va="center")
        if weight >= 0.005:
            axis.plot([0, 1], [query, place], color=colour, linewidth=10 * weight, solid_capstyle="round")
        if weight >= 0.05:
            axis.text(1.75, place, f"{weight:.2f}", ha="left", va="center", fontsize=9)
    axis.set(xlim=(-0.8, 2.1), ylim=(len(words) - 0.5, -0.7))


def mixture(
    axis: Axes, values: ArrayLike, weights: Sequence[float], context: ArrayLike, names: Sequence[str] = ()
) -> None:
    """Draw values as arrows in a plane, and their weighted sum as a point.

    Parameters
    ----------
    axis : Axes
    values : array_like, shape (n, 2)
    weights : array_like, shape (n,)
        Weights, which are written next to the arrows.
    context : array_like, shape (2,)
    names : list of str, optional
    """
    values, context = np.asarray(values, dtype=float), np.asarray(context, dtype=float)
    far = np.abs(values).max()
    for place, (tip, weight) in enumerate(zip(values, weights, strict=True)):
        arrow(axis, (0, 0), tip, color=LIT, alpha=0.25 + 0.75 * float(weight), linewidth=2, shrinkA=0, shrinkB=0)
        label = f"{names[place] if len(names) else ''}\n{weight:.2f}".strip()
        axis.text(*(tip + 0.38 * far * tip / np.linalg.norm(tip)), label, ha="center", va="center")
        axis.plot(*zip(tip, context, strict=True), color="grey", linewidth=0.8, linestyle=":")
    axis.plot(*context, marker="o", markersize=9, color=VALUE, markeredgecolor="grey")
    low, high = values[:, 1].min() - 0.5 * far, values[:, 1].max() + 0.5 * far
    axis.set(xlim=(-1.7 * far, 1.7 * far), ylim=(low, high), aspect="equal")


def shapes(axis: Axes, rows: Mapping[str, Sequence[str]], against: Mapping[str, str]) -> None:
    """Draw shapes below each other, aligned at the right as for broadcasting. Colours show which axes match.

    Parameters
    ----------
    axis : Axes
    rows : dict of str to tuple of str
        Name of an array -> lengths of its axes. All others are compared with the first array.
    against : dict of str to str
        Name of an array -> text next to its shape.
    """
    widest = max(map(len, rows.values()))
    whole = next(iter(rows.values()))
    for number, (name, shape) in enumerate(rows.items()):
        axis.text(-0.2, number, name, ha="right", va="center")
        for place, size in enumerate(reversed(shape), start=1):
            target = whole[-place] if place <= len(whole) else None
            colour = "white" if number == 0 else "#cfe8cf" if size == target else PALE if size == "1" else "#f4b6a6"
            box = Rectangle((widest - place, number - 0.4), 0.92, 0.8, facecolor=colour, edgecolor="grey")
            axis.add_patch(box)
            axis.text(widest - place + 0.46, number, size, ha="center", va="center", color=_ink(colour))
        axis.text(widest + 0.2, number, against.get(name, ""), ha="left", va="center")
    axis.set(xlim=(-2.6, widest + 3.4), ylim=(len(rows) - 0.4, -0.6))


def _ink(colour: str) -> str:
    return plt.rcParams["text.color"] if colour == "white" else INK
