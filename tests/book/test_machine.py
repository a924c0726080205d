"""The Transformer drawing on top of each chapter of the book."""

import itertools

from bs4 import BeautifulSoup

from autograder.book.markdown_pages import HERE, render_drawing
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter


def test_the_part_of_each_chapter_is_highlighted():
    assert set(HERE) == set(curriculum.CHAPTERS)
    for chapter, (lit, words) in HERE.items():
        drawing = BeautifulSoup(render_drawing(chapter), "html.parser")
        assert len(drawing.select(".lit")) == len(lit) > 0
        assert drawing.figcaption.get_text() == f"You are here: {words}."
        assert all(drawing.select(f".{name}.lit") for name in lit)


def test_the_drawing_grows_from_chapter_to_chapter():
    named = []
    for chapter in curriculum.CHAPTERS:
        parts = BeautifulSoup(render_drawing(chapter), "html.parser").find_all("a")
        named.append({part["aria-label"] for part in parts if "later" not in part["class"]})
    assert named[0] == {"attention", "scores", "softmax", "weighted average"} and len(named[-1]) == 18
    assert all(before <= after for before, after in itertools.pairwise(named))


def test_every_part_leads_to_an_exercise_and_stays_inside():
    drawing = BeautifulSoup(render_drawing(""), "html.parser")
    width, height = map(int, drawing.svg["viewbox"].split()[2:])
    parts = drawing.find_all("a")
    assert len(parts) == 18 and not drawing.select(".later")
    for part in parts:
        assert part["href"].partition("#")[2] in read_chapter(part["href"].partition(".")[0]).names
        x, y, wide, high = (int(part.rect[name]) for name in ("x", "y", "width", "height"))
        assert x >= 0 and y >= 0 and x + wide <= width and y + high <= height
