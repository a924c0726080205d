"""The sandboxed reader returns the same as parsing in-process."""

import pytest

from autograder.boundary.reader import read_submitted_answer
from autograder.chapters.answers import Task, parse_script, read_answer
from autograder.chapters.chapter import read_chapter
from support.grading import ANSWERS

FILES = [path for chapter in ("one_query", "qkv", "multi_head") for path in sorted((ANSWERS / chapter).glob("*.*"))]
FILES = [path for path in FILES if path.suffix in (".py", ".ipynb")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_worker_reads_a_file_like_the_own_process(path):
    chapter = read_chapter(path.parent.name)
    names = {exercise.name for exercise in chapter.exercises}
    own = Task(read_answer(path), chapter, chapter.exercises).answer
    results = read_submitted_answer(path, path.read_bytes(), chapter)
    assert results.cells == own.cells and results.notebook == own.notebook
    assert {name: (cell.place, line) for name, (cell, line) in own.definitions.items()} == {
        name: (cell.place, line) for name, (cell, line) in results.definitions.items()
    }
    for exercise in chapter.exercises:
        assert results.is_untouched(exercise) == own.is_untouched(exercise)
        assert results.find_shortcut(exercise) == own.find_shortcut(exercise)
        assert results.find_used_names(exercise.name) == own.find_used_names(exercise.name) & names
        assert results.find_unread_argument(exercise.name) == own.find_unread_argument(exercise.name)


@pytest.mark.parametrize(
    ("definition", "unread"),
    [
        ("def f(a, b):\n    return b", ("f", "a")),
        ("def f(a, _b):\n    return a", None),
        ("class f:\n    def forward(self, a):\n        return lambda: a\n\n    def g(self, b): pass", ("g", "b")),
        ("f = 3", None),
        ("def f(a:", None),
    ],
)
def test_the_first_argument_that_is_never_read_is_found(definition, unread):
    assert parse_script("answer.py", definition).find_unread_argument("f") == unread
