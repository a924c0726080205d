"""The drawing on top of each chapter."""

from bs4 import BeautifulSoup

from autograder.book import machine
from autograder.chapters import curriculum


def test_every_chapter_has_its_part_lit():
    assert set(machine.HERE) == set(curriculum.CHAPTERS)
    for chapter, (lit, words) in machine.HERE.items():
        drawn = BeautifulSoup(machine.drawing(chapter), "html.parser")
        assert len(drawn.select(".lit")) == len(lit) > 0
        assert drawn.figcaption.get_text() == f"You are here: {words}."
        assert set(lit) <= set(machine.PARTS)


def test_every_part_leads_to_a_chapter_and_stays_inside():
    parts = machine.PARTS.values()
    assert {part.chapter for part in parts} <= set(curriculum.CHAPTERS)
    assert all(part.x >= 0 and part.x + part.width <= machine.WIDTH for part in parts)
    assert all(part.y >= 0 and part.y + part.height <= machine.HEIGHT for part in parts)
    assert all(link["aria-label"] for link in BeautifulSoup(machine.drawing(), "html.parser").find_all("a"))
