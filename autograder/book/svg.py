"""Saves a Matplotlib figure as SVG for light and dark pages, wide and narrow ones.

Everything that is drawn in the page's own ink is drawn in `INK` first, which becomes a light or a dark colour when the
file is written. Colours that stand for numbers stay as they are.
"""

import itertools
import re

import numpy as np
from matplotlib import colors
from matplotlib.collections import QuadMesh
from matplotlib.text import Text

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
PHONE, WIDEST = 3.7, 4.6  # inches: the width of a phone's page, and the most that is still read when shrunk to it
DRAWING = 5.8  # inches, for boxes and arrows, which would run into each other on less
COLOURBAR = "<colorbar>"  # Matplotlib's own name
LIGHTNESS = (0.3, 0.59, 0.11)  # of red, green and blue
DIMMEST, SHADES = 0.42, 256  # how dark the colours of a heat map get: more would not stand out from a dark page
MANY = 400  # cells of a heat map, above which they become an image
_COLOUR = re.compile(r"(<g style=\")?(fill|stroke): (#[0-9a-f]{6})\b")
_COORDINATES = re.compile(r"(?<= d=\")[^\"]*|(?<=translate\()[^)]*|(?<= [xy]=\")[^\"]*")
_RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4L\1 \2z?(?=M|$)")
_IDENTITY = re.compile(r" id=\"([^\"]*)\"")


def save(figure, folder, stem):
    """Write `stem.svg`, which is dark as `stem.svg#only-dark`, and for phones `stem-narrow.svg` where it is drawn anew.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    folder : pathlib.Path
    stem : str

    Returns
    -------
    dict
        ``{"wide": [view], "narrow": [view, ...], "title": text}``, the narrow views to stand below each other and below
        the title, which is not in them. A view is ``{"file", "width", "height", "left", "full"}``: a name, the size of
        what is to be seen, how much is cut off at the left, and the width of the whole file, in CSS pixels.
    """
    for axes in figure.axes:
        axes.tick_params(axis="y", labelrotation=0)
    figure.draw_without_rendering()
    _begin_maps_at_the_ground(figure)
    _keep_words_readable(figure)
    _enlarge_words(figure, _box(figure).width / PAGE)
    box = _write(figure, folder, stem)
    wide = [_view(stem, box, 0, box.width)]
    if box.width <= WIDEST:
        return {"wide": wide, "narrow": wide, "title": ""}
    stem = f"{stem}-narrow"
    if len(_panels(figure, box)) == 1:
        width, height = figure.get_size_inches()
        for across in (PHONE, DRAWING):
            figure.set_size_inches(across, max(across * height / width, min(height, 2.8)))
            figure.draw_without_rendering()
            if _has_room(figure):
                break
        _enlarge_words(figure, _box(figure).width / PHONE)
        box = _write(figure, folder, stem)
        return {"wide": wide, "narrow": [_view(stem, box, 0, box.width)], "title": ""}
    title = figure.get_suptitle()
    figure.suptitle("")
    hidden = [axes for axes in figure.axes if axes.get_label() != COLOURBAR and not _has_row_labels(axes)]
    for axes in hidden:
        axes.tick_params(axis="y", labelleft=True)  # each panel stands alone
    figure.draw_without_rendering()
    strips = _strips(_panels(figure, box), box.width)
    is_larger = _enlarge_words(figure, max(right - left for left, right in strips) / PHONE)
    if title or hidden or is_larger:
        box = _write(figure, folder, stem)
        strips = _strips(_panels(figure, box), box.width)
    else:
        stem = stem.removesuffix("-narrow")  # parts of the same file
    return {"wide": wide, "narrow": [_view(stem, box, *strip) for strip in strips], "title": title}


def _has_row_labels(axes) -> bool:
    return axes.yaxis.get_tick_params().get("labelleft", True)


def _box(figure):
    """The box around all that is drawn, in inches."""
    figure.draw_without_rendering()
    return figure.get_tightbbox(figure.canvas.get_renderer()).padded(0.06)


def _enlarge_words(figure, shrinks: float) -> bool:
    """Make words larger that would be too small to read once the picture is shrunk; whether there were some."""
    least = SMALLEST * max(shrinks, 1) * 72 / CSS_DOTS
    small = [text for text in figure.findobj(Text) if text.get_text() and text.get_fontsize() < least]
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if any(label in small for label in axis.get_ticklabels()):
                axis.set_tick_params(labelsize=least)
    for text in small:
        text.set_fontsize(least)
    return bool(small)


def _write(figure, folder, stem):
    """Write all that was drawn, with nothing cut off; the box around it, in inches."""
    box = _box(figure)
    path = folder / f"{stem}.svg"
    for axes in figure.axes:
        for mesh in (thing for thing in axes.collections if isinstance(thing, QuadMesh)):
            mesh.set_rasterized(axes.get_label() == COLOURBAR or mesh.get_array().size > MANY)
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


def _has_room(figure):
    """Whether a panel as wide as a phone is still one that can be read: a plot of some size, with few words in it."""
    panels = [axes for axes in figure.axes if axes.get_label() != COLOURBAR]
    return all(each.axison and len(each.texts) < 40 and each.get_position().width > 0.5 for each in panels)


def _begin_maps_at_the_ground(figure) -> None:
    """Heat maps with white in them, at one end or in the middle, show the page's own ground there."""
    for axes in figure.axes:
        for drawn in (*axes.images, *(each for each in axes.collections if isinstance(each, QuadMesh))):
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


def _let_numbers_follow(axes, mesh: QuadMesh) -> None:
    """Numbers are in the page's ink while its ground shines through their cell, and else stand out from the cell."""
    cells = mesh.get_facecolor().reshape(*mesh.get_array().shape[:2], 4)
    for text in axes.texts:
        column, row = (int(place) for place in text.get_position())
        if 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]:
            opacity = cells[row, column, 3]
            on_black = opacity * cells[row, column, :3] @ LIGHTNESS
            on_white = on_black + 1 - opacity
            text.set_color("#fefefe" if on_white < 0.5 else "#202020" if on_black > 0.38 else INK)


def _keep_words_readable(figure):
    """Words on a coloured shape keep one colour on every page: that which stands out from the shape."""
    for axes in figure.axes:
        for text in axes.texts:
            own = text.get_bbox_patch()
            x, y = text.get_window_extent().get_points().mean(axis=0)
            below = [own] if own else [patch for patch in axes.patches if patch.get_window_extent().contains(x, y)]
            for shape in below[-1:]:
                red, green, blue, opacity = shape.get_facecolor()
                light = 0.3 * red + 0.59 * green + 0.11 * blue
                if (
                    opacity > 0.4
                    and (red, green, blue) != (1, 1, 1)
                    and colors.to_hex(text.get_color()) in (INK, "#000000")
                ):
                    text.set_color("#202020" if light > 0.45 else "#fefefe")


def _panels(figure, box):
    """From where to where each panel reaches, in inches from the left; those that overlap are one."""
    renderer, extents = figure.canvas.get_renderer(), []
    for axes in figure.axes:
        if axes.get_visible() and (extent := axes.get_tightbbox(renderer)):
            left, right = (place / figure.dpi - box.x0 for place in (extent.x0, extent.x1))
            extents.append((left, right, axes.get_label() == COLOURBAR))
    panels = []
    for left, right, belongs_to_the_last in sorted(extents):
        if panels and (left < panels[-1][1] or belongs_to_the_last):
            panels[-1][1] = max(panels[-1][1], right)
        else:
            panels.append([left, right])
    return panels


def _strips(panels, width):
    """Where to cut between panels, so that no strip is wider than a phone unless one panel is."""
    cuts, left = [0.0], 0.0
    for (_, before), (after, right) in itertools.pairwise(panels):
        if right - left > WIDEST:
            cuts.append((before + after) / 2)
            left = cuts[-1]
    return list(itertools.pairwise([*cuts, width]))


def _view(stem, box, left, right):
    sizes = {"width": right - left, "height": box.height, "left": left, "full": box.width}
    return {"file": f"{stem}.svg"} | {name: round(inches * CSS_DOTS) for name, inches in sizes.items()}
