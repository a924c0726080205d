"""The pictures of README.md, which `make pictures` makes: described in words, small, and complete in one file."""

import re

from PIL import Image

from autograder.chapters.curriculum import ROOT

FOLDER = ROOT / "docs" / "pictures"
TEACHER = (ROOT / "docs" / "teacher.md").read_text(encoding="utf-8").replace("pictures/", "docs/pictures/")
README = (ROOT / "README.md").read_text(encoding="utf-8") + TEACHER


def test_the_readme_shows_all_of_them_with_words_for_those_who_do_not_see_them():
    shown = re.findall(r'(?:\]\(|srcset="|src=")(docs/pictures/[\w.-]+)', README)
    assert sorted(shown) == sorted(f"docs/pictures/{path.name}" for path in FOLDER.iterdir())
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
