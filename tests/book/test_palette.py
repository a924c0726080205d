"""One colour for each notion, read on its ground and told apart by colour-blind readers."""

import itertools
import re

import numpy as np
import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.views import figures
from support.late import Late

drawing = Late("given.drawing")

# How colours, in linear RGB, look to readers without red (protan) or green (deutan) cones: Machado et al. 2009.
SEEN = {
    "by most": np.eye(3),
    "protan": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "deutan": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9690]]),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_RULES = re.findall(r"{([^}]*--value[^}]*)}", figures.STYLE.read_text("utf-8"))
LIGHT, DARK = (re.findall(r"--\w+: (#\w{6})", rule) for rule in _RULES)
PALETTES = {
    "drawings": lambda: ([drawing.QUERY, drawing.KEY, drawing.VALUE, drawing.LIT, drawing.NORM], drawing.INK, 7),
    "curves": lambda: ([each["color"] for each in drawing.STYLE["axes.prop_cycle"]], "#ffffff", 2),
    "light pages": lambda: (LIGHT, "#ffffff", 3),  # headings are large
    "dark pages": lambda: (DARK, "#16191d", 4.5),
}


def linear(colour):
    colour = {"black": "#000000"}.get(colour, colour)
    shares = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    x, y, z = np.cbrt(XYZ @ np.clip(rgb, 0.001, 1) / [0.9505, 1, 1.0888])
    return np.array([116 * y, 500 * (x - y), 200 * (y - z)])


def contrast(one, other):
    dark, light = sorted((XYZ @ linear(colour))[1] + 0.05 for colour in (one, other))
    return light / dark


@pytest.mark.parametrize("name", PALETTES)
def test_notions_are_told_apart_and_read(name):
    colours, ground, least = PALETTES[name]()
    assert len(colours) >= 4
    assert not [colour for colour in colours if contrast(colour, ground) < least]
    for (reader, seen), pair in itertools.product(SEEN.items(), itertools.combinations(colours, 2)):
        one, other = (lab(seen @ linear(colour)) for colour in pair)
        assert np.linalg.norm(one - other) > 15, (reader, pair)


@pytest.mark.parametrize("name", curriculum.CHAPTERS)
def test_every_chapter_draws_in_the_common_style(name):
    code = "\n".join(cell.source for cell in read_chapter(name).cells if cell.kind == "picture")
    before, said, _ = code.partition("plt.style.use(STYLE)")
    assert said and not re.search(r"\b(sns|plt)\.\w+\(", before)
    assert set(re.findall(r'"?cmap"?(?:=|: )"(\w+)"', code)) <= {"Oranges", "Greys", "gray_r"}
