"""Saves a Matplotlib figure as SVG for light and dark pages.

Everything that is drawn in the page's own ink is drawn in `INK` first, which becomes a light or a dark colour when the
file is written. Colours that stand for numbers stay as they are.
"""

import re
from pathlib import Path

import numpy as np
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

INK, GROUND = "#010203", "#010204"
SCHEMES = {"light": ("#1f2328", "#ffffff"), "dark": ("#e6e8eb", "#16191d")}  # ink and ground, as in book.css
SETTINGS = {
    "svg.fonttype": "path",  # letters as drawn: the same in every browser
    "svg.hashsalt": "attention",  # and in every run
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.facecolor": GROUND,  # or curves would run through its words
    **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], INK),
}
CSS_DOTS = 96  # an inch
SMALLEST = 9.2  # CSS pixels: the size of the smallest words, as a page shows them
PAGE = 7.1  # inches: the width of a page, to which wider pictures are shrunk
COLOURBAR = "<colorbar>"  # Matplotlib's own name
LIGHTNESS = (0.3, 0.59, 0.11)  # of red, green and blue
DIMMEST, SHADES = 0.42, 256  # how dark the colours of a heat map get: more would not stand out from a dark page
MAX_CELLS = 400  # of a heat map; more become an image
_COLOUR = re.compile(r"(<g style=\")?(fill|stroke): (#[0-9a-f]{6})\b")
_COORDINATES = re.compile(r"(?<= d=\")[^\"]*|(?<=translate\()[^)]*|(?<= [xy]=\")[^\"]*")
_RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4L\1 \2z?(?=M|$)")
_IDENTITY = re.compile(r" id=\"([^\"]*)\"")


def save(figure: Figure, folder: Path, stem: str) -> dict[str, str | int]:
    """Write `stem.svg`, which is dark as `stem.svg#only-dark`: its name, and its size in CSS pixels."""
    for axes in figure.axes:
        axes.tick_params(axis="y", labelrotation=0)
    figure.draw_without_rendering()
    _begin_maps_at_the_ground(figure)
    _keep_words_readable(figure)
    _enlarge_words(figure)
    box = _write(figure, folder / f"{stem}.svg")
    return {"file": f"{stem}.svg", "width": round(box.width * CSS_DOTS), "height": round(box.height * CSS_DOTS)}


def _box(figure: Figure) -> Bbox:
    """The box around all that is drawn, in inches."""
    figure.draw_without_rendering()
    return figure.get_tightbbox().padded(0.06)


def _enlarge_words(figure: Figure) -> None:
    """Make words larger that would be too small to read once the picture is shrunk to the width of a page."""
    least = SMALLEST * max(_box(figure).width / PAGE, 1) * 72 / CSS_DOTS
    small = [text for text in figure.findobj(Text) if text.get_text() and float(text.get_fontsize()) < least]
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if any(label in small for label in axis.get_ticklabels()):
                axis.set_tick_params(labelsize=least)
    for text in small:
        text.set_fontsize(least)


def _write(figure: Figure, path: Path) -> Bbox:
    """Write all that was drawn, with nothing cut off; the box around it, in inches."""
    box = _box(figure)
    for axes in figure.axes:
        for mesh in (thing for thing in axes.collections if isinstance(thing, QuadMesh)):
            mesh.set_rasterized(axes.get_label() == COLOURBAR or np.asarray(mesh.get_array()).size > MAX_CELLS)
    layout = figure.get_layout_engine()
    figure.set_layout_engine("none")  # it has done its work, and would do it twice more while saving
    figure.savefig(path, dpi=160, bbox_inches=box, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    figure.set_layout_engine(layout)
    path.write_text(_with_schemes(_slim(path.read_text(encoding="utf-8"))), encoding="utf-8")
    return box


def _with_schemes(text: str) -> str:
    """One file for both schemes: what differs is a variable, which `#only-dark` behind the address turns dark."""
    variables = {_in_schemes(INK, "stroke"): "--ink"}

    def variable(match: re.Match[str]) -> str:
        before, place, colour = match[1] or "", match[2], match[3]
        pair = _in_schemes(colour, "letters" if before else place)
        if pair[0] == pair[1]:
            return match[0]
        return f"{before}{place}: var({variables.setdefault(pair, f'--c{len(variables)}')})"

    text = _COLOUR.sub(variable, text)
    light, dark = (";".join(f"{name}:{pair[at]}" for pair, name in variables.items()) for at in (0, 1))
    style = f"<style>svg{{fill:var(--ink);{light}}}svg:target{{{dark}}}</style>"
    return re.sub(r"<svg ([^>]*)>", rf'<svg id="only-dark" \1>{style}', text, count=1)


def _in_schemes(colour: str, part: str) -> tuple[str, str]:
    """What the colour of a stroke, of letters or of a shape's fill is on a light page and on a dark one."""
    inks, grounds = zip(*SCHEMES.values(), strict=True)
    if colour in (INK, "#000000"):
        return inks
    if colour == GROUND or (colour == "#ffffff" and part != "letters"):
        return grounds
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if red == green == blue:
        return colour, f"#{255 - red:02x}{255 - red:02x}{255 - red:02x}" if part == "stroke" else colour
    if part != "fill" and 0.3 * red + 0.59 * green + 0.11 * blue <= 0.42 * 255:  # too dark for a line on a dark page
        return colour, "#" + "".join(f"{(channel + 255) // 2:02x}" for channel in (red, green, blue))
    return colour, colour


def _slim(text: str) -> str:
    """The same picture in a third of the bytes: no prologue, comments or unused names, hundredths of a point."""
    text = re.sub(r"<!--.*?-->", "", text[text.index("<svg") :], flags=re.DOTALL)
    used = set(re.findall(r"#([\w-]+)", text))
    text = _IDENTITY.sub(lambda match: match[0] if match[1] in used else "", text)
    text = _COORDINATES.sub(lambda match: _rounded(match[0]), text)
    return re.sub(r"\s*\n\s*", " ", text).replace("> <", "><")


def _rounded(coordinates: str) -> str:
    rounded = re.sub(r"-?\d+\.\d+", lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), coordinates)
    return _RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", re.sub(r"\s*([A-Za-z])\s*", r"\1", rounded))


def _begin_maps_at_the_ground(figure: Figure) -> None:
    """Heat maps with white in them, at one end or in the middle, show the page's own ground there."""
    for axes in figure.axes:
        for drawn in (*axes.images, *(mesh for mesh in axes.collections if isinstance(mesh, QuadMesh))):
            drawn.set_cmap(_fading(drawn.get_cmap()))
            if isinstance(drawn, QuadMesh):
                drawn.update_scalarmappable()
                _let_numbers_follow(axes, drawn)


def _fading(colour_map: colors.Colormap) -> colors.Colormap:
    """The map with transparency for its white; one that has none stays."""
    shades = colour_map(np.linspace(0, 1, SHADES))[:, :3]
    palest = int(shades.sum(axis=1).argmax())
    if shades[palest].min() < 0.9:
        return colour_map
    places, bright = np.arange(SHADES), np.flatnonzero(shades @ LIGHTNESS > DIMMEST)
    longer = max(palest, SHADES - 1 - palest)
    strongest = np.where(places < palest, bright.min(), bright.max())
    return colors.ListedColormap(np.column_stack([shades[strongest], abs(places - palest) / longer]))


def _let_numbers_follow(axes: Axes, mesh: QuadMesh) -> None:
    """Numbers are in the page's ink while its ground shines through their cell, and else stand out from the cell."""
    cells = np.asarray(mesh.get_facecolor()).reshape(*np.asarray(mesh.get_array()).shape[:2], 4)
    for text in axes.texts:
        column, row = (int(place) for place in text.get_position())
        if 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]:
            opacity = cells[row, column, 3]
            on_black = opacity * cells[row, column, :3] @ LIGHTNESS
            on_white = on_black + 1 - opacity
            text.set_color("#fefefe" if on_white < 0.5 else "#202020" if on_black > 0.38 else INK)


def _keep_words_readable(figure: Figure) -> None:
    """Words on a coloured shape keep one colour on every page: that which stands out from the shape."""
    for axes in figure.axes:
        for text in axes.texts:
            own = text.get_bbox_patch()
            x, y = text.get_window_extent().get_points().mean(axis=0)
            below = [own] if own else [patch for patch in axes.patches if patch.get_window_extent().contains(x, y)]
            for shape in below[-1:]:
                *colour, opacity = colors.to_rgba(shape.get_facecolor())
                is_seen = opacity > 0.4 and colour != [1, 1, 1]
                if is_seen and colors.to_hex(text.get_color()) in (INK, "#000000"):
                    text.set_color("#202020" if np.dot(colour, LIGHTNESS) > 0.45 else "#fefefe")
