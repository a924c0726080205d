"""Alternative text of figures, for readers who cannot see them."""

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

MAX_READ_OUT = 16  # limit for the cells or bars whose numbers are all listed


def alternative(figure: Figure) -> str:
    """Return one line that describes each panel of a figure: its title, its cells, bars or curves, and its axes."""
    axes = [panel for panel in figure.axes if panel.get_visible() and panel.get_label() != "<colorbar>"]
    panels = [text for panel in axes if (text := _panel(panel))]
    if len(panels) > 1:
        panels = [f"Panel {number} of {len(panels)}, {text}" for number, text in enumerate(panels, start=1)]
    return " ".join(" ".join([_sentence(figure.get_suptitle()), *panels]).split()) or "A drawing."


def _panel(axes: Axes) -> str:
    meshes = [thing for thing in axes.collections if isinstance(thing, QuadMesh)]
    words = ", ".join(text.get_text() for text in axes.texts if text.get_text())
    descriptions = [_heatmap(axes, mesh) for mesh in meshes] or [*_bars(axes), *_curves(axes)]
    descriptions = descriptions or [f"the words {words}"] * bool(words)
    title = axes.get_title() or axes.get_title("left")
    content = ": ".join(part for part in (title, "; ".join(descriptions)) if part)
    names = [f"{axis} axis: {name}" for axis, name in (("x", axes.get_xlabel()), ("y", axes.get_ylabel())) if name]
    return f"{_sentence(content)} {_sentence(', '.join(names))}"


def _heatmap(axes: Axes, mesh: QuadMesh) -> str:
    """Return the size and the labels of a heatmap, and its numbers if there are few."""
    numbers = np.ma.filled(np.ma.asarray(mesh.get_array(), dtype=float), np.nan)
    rows, columns = numbers.shape[:2]
    text = f"a heatmap with {_count(rows, 'row')} and {_count(columns, 'column')}"
    for way, names in (("rows", _ticks(axes.yaxis)), ("columns", _ticks(axes.xaxis))):
        if len(names) in (rows, columns):
            text += f", {way} {', '.join(names)}"
    if numbers.size <= MAX_READ_OUT:
        largest = np.nanmax(np.abs(numbers), initial=0)
        text += ", row by row " + " | ".join(" ".join(_number(number, largest) for number in row) for row in numbers)
    return text


def _bars(axes: Axes) -> Iterator[str]:
    """Yield one phrase with the number of bars and, if there are few, their names and heights; nothing without bars."""
    heights = [patch.get_height() for bars in axes.containers for patch in bars if hasattr(patch, "get_height")]
    if not heights:
        return
    numbers = [_number(height, max(map(abs, heights))) for height in heights] if len(heights) <= MAX_READ_OUT else []
    names = _ticks(axes.xaxis)
    if len(names) == len(numbers):
        numbers = [f"{name} {number}" for name, number in zip(names, numbers, strict=True)]
    yield _count(len(heights), "bar") + (f", {', '.join(numbers)}" if numbers else "")


def _curves(axes: Axes) -> Iterator[str]:
    """Yield a phrase for each curve: its name in the legend, if it has one, and its first and last height."""
    handles, labels = axes.get_legend_handles_labels()
    names = dict(zip(handles, labels, strict=True))
    for line in axes.lines:
        heights = np.asarray(line.get_ydata(), dtype=float)
        if line.get_visible() and len(heights) > 2:
            ends = [_number(heights[at]) for at in (0, -1)]
            yield f"a curve{f', {names[line]},' if line in names else ''} from {ends[0]} to {ends[1]}"


def _ticks(axis: Axis) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels() if label.get_text()]


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _number(value: float, largest: float = 0.0) -> str:
    """Return a number with three digits, "0" if it is negligible next to the largest number, or "empty" for NaN."""
    if np.isnan(value):
        return "empty"
    return "0" if abs(value) < largest / 10_000 else f"{value:.3g}"


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".?!" else f"{text}."
