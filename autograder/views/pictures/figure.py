"""The picture as heatmaps in one figure. It takes a fifth of a second: where there are thousands, draw tables."""

import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
import seaborn
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from autograder.views.pictures import colours
from autograder.views.pictures.picture import Panel, Picture

_LARGEST = 64  # rows and columns that can still be told apart
_NUMBERED = 10  # rows and columns up to which the cells hold their numbers
_LABELLED = 24  # rows and columns up to which each one has its label

LONGEST_CALL = 200  # characters
_HUGE = 1e100  # what is larger has the same colour: Matplotlib's arithmetic would overflow


def save_png(picture: Picture, path: Path) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a token of another script shows as a box
        draw(picture).savefig(path, format="png", dpi=120)


def draw(picture: Picture) -> Figure:
    """The picture as a Matplotlib figure that no window and no global state knows of."""
    picture = picture.cropped(_LARGEST, _LARGEST)
    panels = list(picture.panels())
    height, width = len(picture.rows), len(picture.columns)
    cell = 0.62 if max(height, width) <= _NUMBERED else 6 / max(height, width)
    labels = 0.09 * max(map(len, picture.rows)) if picture.row_axis else 0
    size = (len(panels) * (max(width * cell, 1.6) + 0.9 + labels), max(height * cell, 0.9) + 1.2)
    figure = Figure(figsize=size, layout="constrained")
    with matplotlib.rc_context({"font.size": 9, "hatch.linewidth": 0.6}):
        for place, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            _heatmap(place, picture, panel, numbered=max(height, width) <= _NUMBERED)
        call = textwrap.shorten(picture.call, LONGEST_CALL, placeholder=" ...").replace("$", r"\$")
        told = (call, picture.summary, *picture.notes)
        figure.suptitle("\n".join(textwrap.fill(line, int(size[0] * 12)) for line in told if line), fontsize=10)
    return figure


def _heatmap(place: Axes, picture: Picture, panel: Panel, numbered: bool) -> None:
    height, width = panel.values.shape
    odd = ~np.isfinite(panel.values)
    texts = np.array(panel.texts())
    low, high = np.clip((panel.low, panel.high), -_HUGE, _HUGE)
    seaborn.heatmap(
        np.where(odd, 0, panel.values.astype(float)).clip(-_HUGE, _HUGE),
        mask=odd,
        vmin=low,
        vmax=high,
        cmap=LinearSegmentedColormap.from_list("", colours.DIFFERENCES if panel.diverging else colours.VALUES),
        annot=texts if numbered else None,
        fmt="",
        annot_kws={"fontsize": 8},
        linewidths=0.5 if numbered else 0,
        linecolor="#888888",
        square=True,
        xticklabels=_labels(picture.columns[:width]) if width <= _LABELLED else "auto",
        yticklabels=(_labels(picture.rows[:height]) if height <= _LABELLED else "auto") if picture.row_axis else False,
        cbar=not panel.title.startswith("yours"),  # it shares the target's
        cbar_kws={"shrink": 0.8},
        ax=place,
    )
    place.set_title(panel.title, fontsize=10)
    place.set_xlabel(picture.column_axis)
    place.set_ylabel(picture.row_axis)
    place.tick_params(axis="y", rotation=0)
    place.tick_params(axis="x", rotation=45 if max(map(len, picture.columns[:width])) > 4 else 0)
    for row, column in np.argwhere(odd):
        box = Rectangle((column, row), 1, 1, facecolor=colours.ODD, edgecolor="#555555", hatch="///")
        place.add_patch(box)
        if numbered:
            place.text(column + 0.5, row + 0.5, texts[row, column], ha="center", va="center", fontsize=8, weight="bold")


def _labels(labels: Sequence[str]) -> list[str]:
    return [label.replace("$", r"\$") for label in labels]  # no formulas
