"""The book with the pictures of one chapter: those of all would take minutes."""

import pytest

from autograder.book import pictures
from autograder.book import site_build as book

FEW_STEPS = """
from given import training
training.Training.__init__.__defaults__ = 40, *training.Training.__init__.__defaults__[1:]  # it would take minutes
learn = training.learn
training.learn = lambda model, text, train_step, steps, what: learn(model, text, train_step, 2, what)
"""


def build_with_pictures_of(name, folder):
    """Build it; the other chapters' pictures are left out."""
    draw = pictures.draw_pictures

    def few(chapter):
        blank = [pictures.Drawn() for cell in chapter.cells if cell.kind == "picture"]
        return draw(chapter) if chapter.name == name else blank

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "draw_pictures", few)
        return book.build(folder)


def build_small_book(folder):
    """Build one into `site`; its pictures are kept in `pictures`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "DRAWN_BEFORE", folder / "pictures")
        build_with_pictures_of("one_query", folder / "site")
