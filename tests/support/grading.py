"""Functions that grade sources like the command line, with a real worker."""

import ast
import functools
import importlib.util
import re
from pathlib import Path

import pytest

from autograder.boundary.session import AnswerRefused
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.grader import Grader
from autograder.judging.misconceptions import apply_edits
from autograder.judging.values.compare import Mismatch

SECRET = b"the secret of the tests"
ANSWERS = Path(__file__).parents[1] / "answers"
EXERCISES = {each.name: each for chapter in curriculum.CHAPTERS for each in read_chapter(chapter).exercises}
_EDIT = re.compile(r"^# edit: (.+?) -> (.+)((?:\n# [+] .*)*)\n", re.MULTILINE)


def graded_chapters():
    """Yield (chapter, names of its exercises that have a suite) for each chapter with solutions."""
    for name in curriculum.CHAPTERS:
        if (curriculum.SOLUTIONS / f"{name}.py").exists():
            chapter = read_chapter(name)
            suites = [e.name for e in chapter.exercises if (curriculum.SUITES / f"test_{e.name}.py").exists()]
            yield chapter, tuple(suites)


@functools.cache
def load_solution(chapter):
    spec = importlib.util.spec_from_file_location(f"solutions.{chapter}", curriculum.SOLUTIONS / f"{chapter}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def absent_for(chapter):
    """Return the packages that the kit installs and a chapter's notebook does not need."""
    absent = ["pytest", "IPython", "nbgrader", "requests", "platformdirs", "rich", "jupytext"]
    return absent + ([] if "torch" in read_chapter(chapter).libraries else ["torch"])


def grade_answers(answers, chapter="one_query", only=(), secret=SECRET):
    """Return a list of exercise -> verdict for each answer, from one run on the exercises in `only`, by default all."""
    chapter = read_chapter(chapter)
    exercises = tuple(exercise for exercise in chapter.exercises if exercise.name in only or not only)
    tasks = [Task(answer, chapter, exercises) for answer in answers]
    grader = Grader.for_tasks(tasks, secret)
    return [{verdict.exercise: verdict for verdict in grader.grade(task)} for task in tasks]


def grade_source(source, chapter="one_query", only=()):
    return grade_answers([parse_script("answer.py", source)], chapter, only)[0]


def verdict_on(source, name):
    return grade_source(source, EXERCISES[name].chapter, [name])[name]


def write_answer(name, body):
    """Return a script that answers one exercise, which must be a function, with this body."""
    stub = EXERCISES[name].stub.replace("raise NotImplementedError", body)
    return f"import {'torch' if 'torch.' in body else 'numpy as np'}\n\n{stub}\n"


def edit_solutions(edits):
    """Return the text of a chapter's solutions with edits: exercise -> old text -> new text."""
    (chapter,) = {EXERCISES[name].chapter for name in edits}
    source = curriculum.solution_of(chapter).read_text(encoding="utf-8")
    for name, of_one in edits.items():
        assert source.count(EXERCISES[name].source) == 1
        source = source.replace(EXERCISES[name].source, apply_edits(EXERCISES[name].solution, of_one))
    return source


def catch_finding(question, *args, **kwargs):
    with pytest.raises((Mismatch, AnswerRefused)) as error_info:
        question(*args, **kwargs)
    assert str(error_info.value.call), "a finding without its call cannot be told"
    return getattr(error_info.value, "sentence", None) or error_info.value.finding


@functools.cache
def read_labelled_text(path):
    """Return the source of a labelled answer; ``# like: parts.py`` adds the missing definitions from that answer.

    Statements of this answer replace those of the same name; new ones go above the next replacement. Then ``# edit:
    OLD -> NEW`` changes the result, as in a misconception; ``# +`` begins further lines of an edit.
    """
    text = path.read_text(encoding="utf-8")
    like = re.search(r"^# like: (.+)\n", text, re.MULTILINE)
    if not like:
        return text
    statements, above = _statements(read_labelled_text(path.parent / like[1])), ""
    for name, source in _statements(text.replace(like[0], "", 1)).items():
        above += source
        if name in statements:
            statements[name], above = above, ""
    edits = {
        old: "" if new == "nothing" else new + more.replace("\n# + ", "\n") for old, new, more in _EDIT.findall(text)
    }
    return apply_edits(_EDIT.sub("", "".join(statements.values())), edits)


def _statements(text):
    """Return name (or text, if it has none) -> source of each statement and the lines above it; "end" -> the rest."""
    lines, at = text.splitlines(keepends=True), re.match(r"(#.*\n)*", text)[0].count("\n")
    statements = {"labels": "".join(lines[:at])}
    for node in ast.parse(text).body:
        is_docstring = isinstance(node, ast.Expr) and len(statements) == 1
        name = "docstring" if is_docstring else getattr(node, "name", ast.unparse(node))
        statements[name], at = "".join(lines[at : node.end_lineno]), node.end_lineno
    return statements | {"end": "".join(lines[at:])}


@functools.cache
def read_labelled(path):
    return parse_script(str(path), read_labelled_text(path))


def read_labels(answer):
    """Return exercise (or "all" for the others) -> expected (outcome, misconception or None) of a labelled answer."""
    results = {}
    for cell in answer.cells:
        for exercise, outcome, misconception in re.findall(r"^# expect: (\w+) (\w+) ?(\w*)$", cell.source, re.M):
            results[exercise] = outcome, misconception or None
    return results


def read_told(answer, label="told"):
    """Return the texts that a verdict must contain: ``# told: The result is``, or ``# plain: returned nan``."""
    return [words for cell in answer.cells for words in re.findall(rf"^# {label}: (.+)$", cell.source, re.M)]
