"""The pictures in README.md show what the program says today; where one does not, `make pictures` makes it anew."""

import re

import pytest
from PIL import Image

from autograder.chapters.curriculum import ROOT
from support.pictures import FOLDER
from support.pictures.pages import difference, told
from support.pictures.screens import SCREENS

README = (ROOT / "README.md").read_text(encoding="utf-8")


def without_lines(svg):
    """Not the number of a line, which is another one after each edit of a chapter's prose."""
    return re.sub(r"\.py:\d+", ".py", svg)


@pytest.mark.parametrize("name", SCREENS)
def test_a_terminal_shows_what_it_showed(name, tmp_path):
    shown = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert without_lines(SCREENS[name](tmp_path / "attention")) == without_lines(shown)


def test_a_card_says_what_it_said(tmp_path):
    """The other pages: tests/classroom/test_course_demo.py and tests/book/test_book.py."""
    page = difference(tmp_path / "attention")
    assert told(page, "difference") == (FOLDER / "difference.txt").read_text(encoding="utf-8")


def test_the_readme_shows_all_of_them_with_words_for_those_who_do_not_see_them():
    shown = re.findall(r'(?:\]\(|srcset="|src=")(docs/pictures/[\w.-]+)', README)
    made = {path.name for path in FOLDER.iterdir() if path.suffix != ".txt"}
    assert sorted(shown) == sorted(f"docs/pictures/{name}" for name in made)
    said = re.findall(r'!\[([^\]]+)\]\(docs/pictures|<img alt="([^"]+)"', README)
    assert len(said) == len([name for name in shown if "-dark" not in name])
    assert all(len("".join(words)) > 60 for words in said)


def test_they_are_small_and_load_nothing():
    for path in FOLDER.iterdir():
        assert path.stat().st_size < 80_000, path
        if path.suffix == ".svg":
            assert not re.search(r"(href|src|url\()\W*http", path.read_text(encoding="utf-8"))
        elif path.suffix == ".png":
            with Image.open(path) as picture:
                assert picture.width <= 960
