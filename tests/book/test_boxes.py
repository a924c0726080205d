"""The box of an exercise on a page of the book, made from its stub."""

import ast

import pytest

from autograder.book import boxes
from support.grading import EXERCISES


def plain(text):
    return text.replace("`", "").replace("*", "")


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_a_box_says_all_that_the_stub_says(exercise):
    written = boxes.render_exercise_box(exercise)
    box, _, stub = written.partition("??? stub")
    assert exercise.stub.splitlines()[0] in stub
    assert f'data-copies="stub-{exercise.name}"' in box and f"#stub-{exercise.name}" in stub
    for node in ast.walk(ast.parse(exercise.stub)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            words = plain(ast.get_docstring(node) or "").split()
            dropped = {word for word in words if word.strip(".,:;()-") not in plain(box)}
            assert dropped <= {"Parameters", "Returns", "Attributes"}


def test_a_signature_is_that_of_the_call():
    tree = ast.parse("def f(x, *, axis=-1): pass\nclass A:\n def __init__(self, d, heads=2): pass\nclass B: pass")
    assert [boxes.format_signature(node) for node in tree.body] == ["f(x, *, axis=-1)", "A(d, heads=2)", "B()"]


def test_entries_are_read_with_and_without_names():
    section = "output : Tensor, shape (n,)\n    First line\n    and second.\nndarray\n    Of one thing."
    assert boxes.parse_entries(section) == [
        ("output", "Tensor, shape (n,)", "First line and second."),
        ("", "ndarray", "Of one thing."),
    ]
