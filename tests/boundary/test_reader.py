"""The reader that is shut in finds the same as reading in one's own process."""

import pytest

from autograder.boundary.reader import names_in, read_handed_in
from autograder.chapters.answers import read_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.tasks import Task
from support.grading import ANSWERS

FILES = [path for chapter in ("one_query", "qkv", "multi_head") for path in sorted((ANSWERS / chapter).glob("*.*"))]
FILES = [path for path in FILES if path.suffix in (".py", ".ipynb")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_both_find_the_same(path):
    chapter = read_chapter(path.parent.name)
    names = {exercise.name for exercise in chapter.exercises}
    own = Task(read_answer(path), chapter, chapter.exercises).answer
    found, defined = read_handed_in(path, path.read_bytes(), chapter), names_in(path, path.read_bytes())
    assert found.cells == own.cells and found.notebook == own.notebook
    assert set(own.definitions) <= defined
    assert {name: (cell.place, line) for name, (cell, line) in own.definitions.items()} == {
        name: (cell.place, line) for name, (cell, line) in found.definitions.items()
    }
    for exercise in chapter.exercises:
        assert found.is_untouched(exercise) == own.is_untouched(exercise)
        assert found.shortcut(exercise) == own.shortcut(exercise)
        assert found.names_reached(exercise.name) == own.names_reached(exercise.name) & names
