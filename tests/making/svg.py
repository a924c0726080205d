"""Matplotlib figures as SVG with a transparent background, for light and dark pages.

On a dark page, the style sheet inverts the lightness and keeps the hues (`book/pages/book.css`).
"""

import re
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Colormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

SETTINGS = {
    "svg.fonttype": "path",  # Letters are paths, so they look the same in every browser.
    "svg.hashsalt": "attention",  # A fixed salt makes the output the same in every run.
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.facecolor": "white",  # Curves must not show behind the words.
}
PIXELS_PER_INCH = 96  # CSS pixels
MIN_WORD_PIXELS = 9.2  # size of the smallest words on a page
PAGE_INCHES = 7.1  # width of a page, to which wider pictures are shrunk
COLOURBAR = "<colorbar>"  # Matplotlib's label for the Axes of a colour bar
LIGHTNESS = (0.3, 0.59, 0.11)  # share of red, green and blue in the lightness of a colour
SHADES = 256  # number of colours in a colour map
MAX_CELLS = 400  # heat maps with more cells are saved as bitmaps
_COORDINATES = re.compile(r"(?<= d=\")[^\"]*|(?<=translate\()[^)]*|(?<= [xy]=\")[^\"]*")
_RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4L\1 \2z?(?=M|$)")
_IDENTITY = re.compile(r" id=\"([^\"]*)\"")


def save(figure: Figure, folder: Path, stem: str) -> dict[str, str | int]:
    """Write a figure to `stem.svg` without cropping. Return the name of the file, and its size in CSS pixels."""
    for axes in figure.axes:
        axes.tick_params(axis="y", labelrotation=0)
        for mesh in (collection for collection in axes.collections if isinstance(collection, QuadMesh)):
            mesh.set_rasterized(axes.get_label() == COLOURBAR or np.asarray(mesh.get_array()).size > MAX_CELLS)
            mesh.set_cmap(_beginning_at_white(mesh.get_cmap()))
            _keep_numbers_readable(axes, mesh)
    _enlarge_words(figure)
    box, path = _box(figure), folder / f"{stem}.svg"
    figure.set_layout_engine("none")  # Otherwise, saving would compute the finished layout twice more.
    figure.savefig(path, dpi=160, bbox_inches=box, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    path.write_text(_slim(path.read_text(encoding="utf-8")), encoding="utf-8")
    width, height = (round(inches * PIXELS_PER_INCH) for inches in (box.width, box.height))
    return {"file": path.name, "width": width, "height": height}


def _box(figure: Figure) -> Bbox:
    """Return the box around everything that is drawn, in inches."""
    figure.draw_without_rendering()
    return figure.get_tightbbox().padded(0.06)


def _enlarge_words(figure: Figure) -> None:
    """Enlarge words that would be too small to read after the picture is shrunk to the width of a page."""
    least = MIN_WORD_PIXELS * max(_box(figure).width / PAGE_INCHES, 1) * 72 / PIXELS_PER_INCH
    small = [text for text in figure.findobj(Text) if text.get_text() and float(text.get_fontsize()) < least]
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if any(label in small for label in axis.get_ticklabels()):
                axis.set_tick_params(labelsize=least)
    for text in small:
        text.set_fontsize(least)


def _beginning_at_white(colour_map: Colormap) -> Colormap:
    """Return the colour map, scaled so that its lightest colour is white, if that was nearly white."""
    shades = colour_map(np.linspace(0, 1, SHADES))
    palest = shades[shades[:, :3].sum(axis=1).argmax()]
    # Clip, because the lightest colour does not always have the most red, green and blue.
    return ListedColormap(np.clip(shades / palest, 0, 1)) if palest[:3].min() > 0.8 else colour_map


def _keep_numbers_readable(axes: Axes, mesh: QuadMesh) -> None:
    """Make the numbers in a heat map's cells black or white, for contrast with the cell."""
    mesh.update_scalarmappable()
    cells = np.asarray(mesh.get_facecolor()).reshape(*np.asarray(mesh.get_array()).shape[:2], 4)
    for text in axes.texts:
        column, row = (int(place) for place in text.get_position())
        if 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]:
            text.set_color("black" if cells[row, column, :3] @ LIGHTNESS > 0.45 else "white")


def _slim(text: str) -> str:
    """Return the SVG at a third of its size: without prologue, comments and unused IDs, with rounded coordinates."""
    text = re.sub(r"<!--.*?-->", "", text[text.index("<svg") :], flags=re.DOTALL)
    used = set(re.findall(r"#([\w-]+)", text))
    text = _IDENTITY.sub(lambda match: match[0] if match[1] in used else "", text)
    text = _COORDINATES.sub(lambda match: _round(match[0]), text)
    return re.sub(r"\s*\n\s*", " ", text).replace("> <", "><")


def _round(coordinates: str) -> str:
    rounded = re.sub(r"-?\d+\.\d+", lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), coordinates)
    return _RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", re.sub(r"\s*([A-Za-z])\s*", r"\1", rounded))
