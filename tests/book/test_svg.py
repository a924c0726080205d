"""Pictures as SVG: nothing is cut off, the background is transparent, and words are legible."""

import re

import numpy as np
import pytest

from support.late import LazyModule

matplotlib, svg = LazyModule("matplotlib"), LazyModule("making.svg")
SIGNED = "#2b5f9e", "white", "#d9660b"  # white between two hues, as the chapters draw numbers that may be negative


@pytest.fixture
def plt():
    with matplotlib.rc_context(svg.SETTINGS):
        matplotlib.use("Agg")
        from matplotlib import pyplot as plt  # noqa: PLC0415  (after the backend is chosen)

        yield plt
        plt.close("all")


def test_a_picture_is_transparent_and_loads_nothing(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.plot([1, 2, 3], color="tab:orange")
    text = (tmp_path / svg.save(figure, tmp_path, "one")["file"]).read_text("utf-8")
    assert "#ff7f0e" in text and "#ffffff" not in text
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)


def test_nothing_is_cut_off(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(2, 1))
    axes.set_title("a title that is much longer than the figure is wide")
    view = svg.save(figure, tmp_path, "one")
    assert view["width"] > 300 > 2 * svg.PIXELS_PER_INCH


def test_many_cells_become_an_image(plt, tmp_path):
    sizes = {}
    for cells in (10, 100):
        figure, axes = plt.subplots(figsize=(3, 3))
        axes.pcolormesh(np.random.default_rng(0).random((cells, cells)))
        file = svg.save(figure, tmp_path, f"of{cells}")["file"]
        sizes[cells] = (tmp_path / file).stat().st_size
        assert ("data:image/png" in (tmp_path / file).read_text()) == (cells == 100)
    assert sizes[100] < 100_000


@pytest.mark.parametrize(
    ("colours", "palest", "is_white"), [("Oranges", 0, True), ("viridis", 1, False), (SIGNED, 0.5, True)]
)
def test_the_palest_cells_of_a_heat_map_are_transparent(plt, tmp_path, colours, palest, is_white):
    figure, axes = plt.subplots(figsize=(3, 2))
    if not isinstance(colours, str):
        colours = matplotlib.colors.LinearSegmentedColormap.from_list("signed", colours)
    mesh = axes.pcolormesh(np.array([[0, palest, 1]]), cmap=colours)
    svg.save(figure, tmp_path, "one")
    assert (mesh.get_facecolor()[1].round(2) == 1).all() == is_white


def test_numbers_stand_out_from_their_cells(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.pcolormesh(np.array([[0.0, 1.0]]), cmap="Oranges")
    numbers = [axes.text(column + 0.5, 0.5, f"{column}", color="red") for column in (0, 1)]
    svg.save(figure, tmp_path, "one")
    assert [text.get_color() for text in numbers] == ["black", "white"]


def test_words_stay_readable_when_the_picture_is_shrunk(plt, tmp_path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 3), layout="constrained")
    left.plot([1, 2], label="a curve")
    left.legend(fontsize=5)
    right.set_xticks([0], labels=["tiny"], fontsize=4)
    texts = [left.get_legend().get_texts()[0], right.get_xticklabels()[0]]
    width = svg.save(figure, tmp_path, "one")["width"] / svg.PIXELS_PER_INCH
    for text in texts:
        assert text.get_fontsize() / 72 * svg.PIXELS_PER_INCH * svg.PAGE_INCHES / width > 9
