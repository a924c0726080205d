"""Pictures as SVG: nothing cut off, the page's own ink in light and dark, words that can be read."""

import re

import matplotlib
import numpy as np
import pytest

from autograder.book import svg


@pytest.fixture
def plt():
    with matplotlib.rc_context(svg.SETTINGS):
        matplotlib.use("Agg")
        from matplotlib import pyplot as plt  # noqa: PLC0415  (after the backend is chosen)

        yield plt
        plt.close("all")


def in_schemes(path):
    """The file as a light page and as a dark one show it, with a colour in place of each variable."""
    text = path.read_text("utf-8")
    for rule in re.search(r"<style>svg{(.*?)}svg:target{(.*?)}", text).groups():
        colours = dict(re.findall(r"(--\w+):(#\w+)", rule))
        yield re.sub(r"var\((--\w+)\)", lambda match: colours[match[1]], text.partition("</style>")[2])  # noqa: B023


def test_ink_follows_the_page_and_colours_stay(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.plot([1, 2, 3], color="tab:orange")
    axes.axhline(2, color="black")
    axes.set_title("a title")
    view = svg.save(figure, tmp_path, "one")
    light, dark = in_schemes(tmp_path / view["file"])
    assert "#ff7f0e" in light and "#ff7f0e" in dark
    assert svg.SCHEMES["light"][0] in light and svg.SCHEMES["light"][0] not in dark
    assert svg.SCHEMES["dark"][0] in dark and svg.SCHEMES["dark"][0] not in light
    assert "#000000" not in dark and svg.INK not in light + dark
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", light), "nothing is loaded"


def test_nothing_is_cut_off(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(2, 1))
    axes.set_title("a title that is much longer than the figure is wide")
    view = svg.save(figure, tmp_path, "one")
    assert view["width"] > 300 > 2 * svg.CSS_DOTS


@pytest.mark.parametrize(("colour", "words"), [("#ffe8cc", "#202020"), ("#5f3dc4", "#fefefe")])
def test_words_on_a_coloured_box_stand_out_on_every_page(plt, tmp_path, colour, words):
    figure, axes = plt.subplots(figsize=(3, 2))
    text = axes.text(0.5, 0.5, "box", bbox={"facecolor": colour})
    beside = axes.text(0.1, 0.9, "beside")
    svg.save(figure, tmp_path, "one")
    assert words in list(in_schemes(tmp_path / "one.svg"))[1], "not made lighter with the page"
    assert text.get_color() == words and beside.get_color() == svg.INK


def test_many_cells_become_an_image(plt, tmp_path):
    sizes = {}
    for cells in (10, 100):
        figure, axes = plt.subplots(figsize=(3, 3))
        axes.pcolormesh(np.random.default_rng(0).random((cells, cells)))
        file = svg.save(figure, tmp_path, f"of{cells}")["file"]
        sizes[cells] = (tmp_path / file).stat().st_size
        assert ("data:image/png" in (tmp_path / file).read_text()) == (cells == 100)
    assert sizes[100] < 100_000


def test_a_heat_map_begins_at_the_ground(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(3, 2))
    mesh = axes.pcolormesh(np.array([[0.0, 1.0]]), cmap="Oranges")
    numbers = [axes.text(column + 0.5, 0.5, f"{column}", color="white") for column in (0, 1)]
    svg.save(figure, tmp_path, "one")
    assert mesh.get_facecolor()[:, 3].tolist() == [0, 1]
    assert [text.get_color() for text in numbers] == [svg.INK, "#fefefe"], "ink on the page, light on the strongest"
    other = axes.pcolormesh(np.array([[-1.0, 0.0, 1.0]]), cmap="PuOr")
    third = axes.pcolormesh(np.array([[-1.0, 1.0]]), cmap="viridis")
    svg.save(figure, tmp_path, "two")
    assert other.get_facecolor()[:, 3].round(2).tolist() == [pytest.approx(1, abs=0.02), 0, pytest.approx(1, abs=0.02)]
    assert third.get_facecolor()[:, 3].tolist() == [1, 1], "a map without white stays"


def test_dark_lines_and_letters_are_lighter_on_a_dark_page(plt, tmp_path):
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.plot([1, 2], color="#54278f")
    axes.text(0.5, 1.5, "words", color="#54278f")
    axes.bar([0], [1], color="#54278f")
    svg.save(figure, tmp_path, "one")
    light, dark = in_schemes(tmp_path / "one.svg")
    assert light.count("#54278f") == 3
    assert dark.count("#54278f") == 1, "the bar"
    assert dark.count("#a993c7") == 2


def test_words_are_as_large_as_one_can_read_once_the_picture_is_shrunk(plt, tmp_path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 3), layout="constrained")
    left.plot([1, 2], label="a curve")
    left.legend(fontsize=5)
    right.set_xticks([0], labels=["tiny"], fontsize=4)
    texts = [left.get_legend().get_texts()[0], right.get_xticklabels()[0]]
    width = svg.save(figure, tmp_path, "one")["width"] / svg.CSS_DOTS
    for text in texts:
        assert text.get_fontsize() / 72 * svg.CSS_DOTS * svg.PAGE / width > 9
