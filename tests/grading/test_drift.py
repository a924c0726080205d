"""`attn stubs --check` reports each kind of inconsistency in a small course."""

import sys

import pytest

from autograder.chapters import chapter as chapters
from autograder.chapters import curriculum, stubs
from autograder.chapters.chapter import parse_chapter, read_chapter
from autograder.chapters.errors import ChapterError, InputError
from autograder.grading import drift
from autograder.judging.misconceptions import read_lesson
from autograder.judging.run.kit_code import close_kit_workers

CHAPTER = '''# ---
# jupyter:
# ---

# %% [markdown]
# # Tiny

# %%
import numpy as np


# %% exercise="double" points=2
def double(x):
    """Twice x.

    Examples
    --------
    >>> double(2)
    4
    """
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% [markdown] hint="double"
# What is x plus x?
'''
SUITE = '''"""Hidden suite of double."""

import pytest


@pytest.mark.points(1)
def test_example(answer):
    answer(2).equals(4)


@pytest.mark.points(1)
def test_others(answer, solution, draw):
    x = float(draw(1)[0]) + 4
    answer(x).equals(solution(x))
'''
MISCONCEPTIONS = """## squared
```python
def double(x):
    return x * x
```
- This is the square: add x to itself instead.
"""
EDIT = """## one_more
- `2 * x` -> `2 * x + 1`
- This is one too many.

## squared"""
SQUARE = """## square
```python
def double(x):
    return x * x
```
- This is x times x.

## squared"""
KINDS = """## one_more
- This is one too many, a kind of mistake.
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Make a whole course in a folder: one chapter and one exercise, without problems."""
    for name in ("ROOT", "SOLUTIONS", "EXERCISES", "SUITES", "MISCONCEPTIONS"):
        folder = tmp_path if name == "ROOT" else tmp_path / name.lower()
        folder.mkdir(exist_ok=True)
        monkeypatch.setattr(curriculum, name, folder)
    monkeypatch.setattr(curriculum, "CHAPTERS", ("tiny",))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # With cached code, Python overlooks edits within a second.
    (tmp_path / "solutions" / "tiny.py").write_text(CHAPTER)
    (tmp_path / "suites" / "test_double.py").write_text(SUITE)
    (tmp_path / "misconceptions" / "double.md").write_text(MISCONCEPTIONS)
    _forget()
    stubs.write_stubs()
    yield tmp_path
    _forget()


def _forget():
    chapters._read_chapter_file.cache_clear()
    close_kit_workers()


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    _forget()


def test_a_consistent_course_has_no_drift(course):
    assert drift.find_drift() == []


def test_an_edit_of_the_solution_and_a_kind_are_misconceptions(course):
    edit(course / "misconceptions" / "double.md", "## squared", EDIT)
    assert drift.find_drift() == []
    (course / "misconceptions" / "kinds.md").write_text(KINDS)
    edit(course / "misconceptions" / "double.md", "- This is one too many.\n", "")
    assert drift.find_drift() == []
    assert read_lesson("double", "one_more") == ("This is one too many, a kind of mistake.", "", "")


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("exercises/tiny.py", "# # Tiny", "# # Tinier", "exercises/tiny.py is not what solutions/tiny.py gives"),
        ("exercises/tiny.py", "raise NotImplementedError", "return 2 * x", "exercises/tiny.py is not what"),
        ("solutions/tiny.py", "return 2 * x", "return 3 * x", "double fails its own suite"),
        ("solutions/tiny.py", "points=2", "points=3", "says points=3, but its suite adds up to 2"),
        ("solutions/tiny.py", ">>> double(2)\n    4", "none", "has no example"),
        ("solutions/tiny.py", '# %% [markdown] hint="double"', "# %% [markdown]", "has no hint"),
        ("suites/test_double.py", "answer(2).equals(4)", "pass", "the stub passes example"),
        ("misconceptions/double.md", "return x * x", "return x + x", "squared passes the suite"),
        ("misconceptions/double.md", "- This is the square: add x to itself instead.", "", "squared says nothing"),
        ("misconceptions/double.md", "## squared", SQUARE, "is taken for"),
        (
            "misconceptions/double.md",
            "## squared",
            EDIT.replace("2 * x", "3 * x"),
            "double.md: one_more edits `3 * x`, which the solution has no times: write the current text",
        ),
        (
            "misconceptions/double.md",
            "## squared",
            EDIT.replace("2 * x", "x"),
            "edits `x`, which the solution has 2 times",
        ),
        ("misconceptions/double.md", "## squared", EDIT.replace("+ 1", "+"), "one_more cannot be run: SyntaxError"),
        ("misconceptions/double.md", "## squared", EDIT.replace("+ 1", "+ y"), "one_more: double(2) raised NameError"),
        ("misconceptions/double.md", "## squared", EDIT.replace("- This", "This"), "double.md:3: `This is one"),
    ],
)
def test_each_inconsistency_is_named(course, file, old, new, says):
    edit(course / file, old, new)
    problems = drift.find_drift()
    assert any(says in problem for problem in problems), problems
    assert all(": " in problem or "run `attn stubs`" in problem for problem in problems)


def test_missing_and_stray_files_are_named(course):
    (course / "suites" / "test_double.py").rename(course / "suites" / "test_triple.py")
    (course / "misconceptions" / "double.md").rename(course / "misconceptions" / "triple.md")
    (course / "exercises" / "tiny.py").unlink()
    _forget()
    problems = "\n".join(drift.find_drift())
    for says in (
        "exercises/tiny.py is missing",
        "suites/test_triple.py belongs to no exercise",
        "misconceptions/triple.md belongs to no exercise",
        "suites/test_double.py is missing",
        "misconceptions/double.md has no misconception",
    ):
        assert says in problems


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("    ### END SOLUTION\n", "", "has no ### END SOLUTION"),
        ("    ### BEGIN SOLUTION\n", "", "### END SOLUTION without"),
        ("    return 2 * x\n", "    ### BEGIN SOLUTION\n    return 2 * x\n", "inside a solution"),
        (" points=2", "", "needs points=N"),
        ("points=2", "points=2 seconds=0", "seconds=N"),
        ("points=2", 'points=2 seconds="soon"', "seconds=N"),
        ("def double", "def doubled", "does not define it"),
        ('hint="double"', 'hint="triple"', "not an exercise of the chapter"),
    ],
)
def test_a_chapter_that_could_leak_is_refused(old, new, says):
    with pytest.raises(ChapterError, match=says):
        parse_chapter("tiny", CHAPTER.replace(old, new))


def test_writing_stubs_never_loses_an_answer(course):
    mine = course / "exercises" / "tiny.py"
    edit(mine, "raise NotImplementedError", "return x + x")
    with pytest.raises(InputError, match="holds an answer to double"):
        stubs.write_stubs()
    assert "return x + x" in mine.read_text()
    mine.unlink()
    assert stubs.write_stubs() == [mine]
    assert "return x + x" not in mine.read_text()
    assert stubs.write_stubs() == []


def test_stubs_hold_no_solution_and_no_hint():
    for name in curriculum.CHAPTERS:
        chapter = read_chapter(name)
        text = stubs.make_stub(chapter)
        assert "SOLUTION" not in text and "hint=" not in text
        for exercise in chapter.exercises:
            for hint in exercise.hints:
                assert hint not in text


def test_the_files_of_the_course_are_consistent():  # test_misconceptions.py tests the suites.
    assert list(drift.check_files([read_chapter(name) for name in curriculum.CHAPTERS])) == []
