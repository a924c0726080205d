"""The sandboxed reader returns the same as parsing in-process."""

from types import SimpleNamespace

import pytest

from autograder.boundary import reader
from autograder.boundary.reader import read_defined_names, read_edits, read_submitted_answer
from autograder.chapters.answers import Task, parse_script, read_answer
from autograder.chapters.chapter import read_chapter
from autograder.worker.small_edits import AnswerEdit, SmallEdit, find_edits_of_answer
from support.grading import ANSWERS
from support.wire import send_across

FILES = [path for chapter in ("one_query", "qkv", "multi_head") for path in sorted((ANSWERS / chapter).glob("*.*"))]
FILES = [path for path in FILES if path.suffix in (".py", ".ipynb")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_worker_reads_a_file_like_the_own_process(path):
    chapter = read_chapter(path.parent.name)
    names = {exercise.name for exercise in chapter.exercises}
    own = Task(read_answer(path), chapter, chapter.exercises).answer
    results = read_submitted_answer(path, path.read_bytes(), chapter)
    assert results.cells == own.cells and results.notebook == own.notebook
    assert set(own.definitions) <= read_defined_names(path, path.read_bytes())
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


ANSWER = parse_script("answer.py", "def f(x):\n    return x + 1\n")
GOOD = [0, "f", 0, 26, "operator", 23, 24, "-"]
LIES = {  # index in the row -> forged values
    0: (1, -1, 2**70, True, 0.0, "0", None),
    1: (["f"], None),
    2: (-9, 24, 0.0, ""),
    3: (23, 99, 2**70, 26.0, ""),
    4: ("none", "", None, ["operator"], 1),
    5: (-4, 25, "23"),
    6: (22, 27, 99, None),
    7: ("+", 1, None),  # ANSWER already has "+" there.
}
FORGED = [[*GOOD[:at], lie, *GOOD[at + 1 :]] for at, lies in LIES.items() for lie in lies]
FORGED += [GOOD[:-1], [*GOOD, 1], tuple(GOOD), dict(enumerate(GOOD)), "operator", None, []]
FORGED += [[0, "f", 0, 0, "none", 0, 0, "-"], [1, "f", 0, 0, "operator", 0, 0, "-"]]


def test_valid_edits_are_read_and_forged_edits_are_refused(monkeypatch):
    own = find_edits_of_answer(ANSWER, "f", ())
    assert len(own) > 10
    assert read_edits(ANSWER, "f", ()) == own
    message = AnswerEdit(*GOOD[:4], SmallEdit(*GOOD[4:], 2, 2))
    for value, found in [(GOOD, []), ({"rows": [GOOD]}, []), ([GOOD], [message]), ([*FORGED, GOOD], [message])]:
        monkeypatch.setattr(reader, "_reader", SimpleNamespace(ask=lambda *request, value=value: send_across(value)))
        assert read_edits(ANSWER, "f", ()) == found
