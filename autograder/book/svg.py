"""Saves a Matplotlib figure as SVG for light and dark pages, wide and narrow ones.

Everything that is drawn in the page's own ink is drawn in `INK` first, which becomes a light or a dark colour when the
file is written. Colours that stand for numbers stay as they are.
"""

import itertools
import re

from matplotlib import colors
from matplotlib.collections import QuadMesh

INK, GROUND = "#010203", "#010204"
SCHEMES = {"light": ("#1f2328", "#ffffff"), "dark": ("#e6e8eb", "#16191d")}  # ink and ground, as in book.css
SETTINGS = {
    "svg.fonttype": "path",  # letters as drawn: the same in every browser
    "svg.hashsalt": "attention",  # and in every run
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.facecolor": GROUND,
    "legend.edgecolor": INK,
    **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], INK),
}
CSS_DOTS = 96  # an inch
PHONE, WIDEST = 3.7, 4.6  # inches: the width of a phone's page, and the most that is still read when shrunk to it
DRAWING = 5.8  # inches, for boxes and arrows, which would run into each other on less
COLOURBAR = "<colorbar>"  # Matplotlib's own name
MANY = 400  # cells of a heat map, above which they become an image
_NEUTRAL = re.compile(r"(?<=stroke: #)([0-9a-f]{2})\1\1\b")
_COLOUR = re.compile(
    r"((?<=stroke: #)|(?<=<g style=\"fill: #))(?!([0-9a-f]{2})\2\2)[0-9a-f]{6}"
)  # of lines and letters
_WHITE_SHAPE = re.compile(r"(<path[^>]*style=\"[^\"]*fill: )#ffffff")


def save(figure, folder, stem):
    """Write `stem.light.svg` and `stem.dark.svg`, and for phones `stem-narrow...` where it has to be drawn anew.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    folder : pathlib.Path
    stem : str

    Returns
    -------
    dict
        ``{"wide": [view], "narrow": [view, ...], "title": text}``, the narrow views to stand below each other and below
        the title, which is not in them. A view is ``{"file", "width", "height", "left", "full"}``: a name with
        `{}` for the scheme, the size of what is to be seen, how much is cut off at the left, and the width of the
        whole file, in CSS pixels.
    """
    figure.draw_without_rendering()
    _keep_words_readable(figure)
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
        box = _write(figure, folder, stem)
        return {"wide": wide, "narrow": [_view(stem, box, 0, box.width)], "title": ""}
    title = figure.get_suptitle()
    figure.suptitle("")
    for axes in figure.axes:
        if axes.get_label() != COLOURBAR and not axes.yaxis.get_tick_params().get("labelleft", True):
            axes.tick_params(axis="y", labelleft=True, labelrotation=0)  # each panel stands alone
    box = _write(figure, folder, stem)
    strips = _strips(_panels(figure, box), box.width)
    return {"wide": wide, "narrow": [_view(stem, box, *strip) for strip in strips], "title": title}


def _write(figure, folder, stem):
    """Write both schemes; all that was drawn, in inches, with nothing cut off."""
    figure.draw_without_rendering()
    box = figure.get_tightbbox(figure.canvas.get_renderer()).padded(0.06)
    path = folder / f"{stem}.svg"
    for mesh in (thing for axes in figure.axes for thing in axes.collections if isinstance(thing, QuadMesh)):
        mesh.set_rasterized(mesh.get_array().size > MANY)
    layout = figure.get_layout_engine()
    figure.set_layout_engine("none")  # it has done its work, and would do it twice more while saving
    figure.savefig(path, dpi=160, bbox_inches=box, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    figure.set_layout_engine(layout)
    written = path.read_text(encoding="utf-8")
    path.unlink()
    written = re.sub(r"<\?xml.*?<svg", "<svg", written, flags=re.DOTALL)  # without its prologue
    for scheme, (ink, ground) in SCHEMES.items():
        text = written.replace("<svg ", f'<svg fill="{ink}" ', 1).replace(INK, ink).replace(GROUND, ground)
        if scheme == "dark":
            text = text.replace("#000000", ink)
            text = _NEUTRAL.sub(lambda match: f"{255 - int(match[1], 16):02x}" * 3, text)
            text = _COLOUR.sub(_lifted, text)
            text = _WHITE_SHAPE.sub(rf"\g<1>{ground}", text)
        (folder / f"{stem}.{scheme}.svg").write_text(text, encoding="utf-8")
    return box


def _has_room(figure):
    """Whether a panel as wide as a phone is still one that can be read: a plot of some size, with few words in it."""
    panels = [axes for axes in figure.axes if axes.get_label() != COLOURBAR]
    return all(each.axison and len(each.texts) < 40 and each.get_position().width > 0.5 for each in panels)


def _lifted(match):
    """A dark colour of a line or of letters, lighter, so that it stands out from a dark page; a light one stays."""
    parts = [int(match[0][at : at + 2], 16) for at in (0, 2, 4)]
    if 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2] > 0.36 * 255:
        return match[0]
    return "".join(f"{(part + 255) // 2:02x}" for part in parts)


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
    return itertools.pairwise([*cuts, width])


def _view(stem, box, left, right):
    sizes = {"width": right - left, "height": box.height, "left": left, "full": box.width}
    return {"file": f"{stem}.{{}}.svg"} | {name: round(inches * CSS_DOTS) for name, inches in sizes.items()}
