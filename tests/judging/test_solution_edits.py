"""An edit replaces a text that occurs exactly once in the solution."""

import ast

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import ChapterError
from autograder.judging.misconceptions import StaleEdit, apply_edits, apply_mistake

SOLUTION = '''def scaled(x, factor):
    """Multiply: return x * factor.

    >>> scaled([1, 2], 3)
    [3, 6]
    """
    results = []
    for number in x:
        product = number * factor  # one after the other
        results.append(product)
    return results'''


def test_an_edit_replaces_its_text_and_nothing_else():
    assert apply_edits(SOLUTION, {"number *": "number +"}) == SOLUTION.replace("number *", "number +")


def test_docstrings_are_not_edited():
    assert apply_edits(SOLUTION, {"return": "yield"}).endswith("    yield results")
    assert "Multiply: return x" in apply_edits(SOLUTION, {"return": "yield"})


def test_several_replacements_are_independent():
    source = apply_edits(SOLUTION, {"in x:": "in results:", "results = []": "x = []"})
    assert "    x = []\n    for number in results:" in source


def test_lines_are_indented_as_the_first_of_them():
    source = apply_edits(
        SOLUTION, {"results.append(product)": "if product:\n    results.append(product)\n\nfactor = 1"}
    )
    assert "        if product:\n            results.append(product)\n\n        factor = 1\n    return" in source
    old = "for number in x:\n    product = number * factor  # one after the other\n    results.append(product)"
    assert apply_edits(SOLUTION, {old: "pass"}).endswith("    results = []\n    pass\n    return results")


def test_an_emptied_line_is_removed():
    assert "results = []\n    for" in apply_edits(SOLUTION, {"results = []": "results = []"})
    assert '"""\n    for number' in apply_edits(SOLUTION, {"results = []": ""})
    assert apply_edits(SOLUTION, {"return results": ""}).endswith("results.append(product)")


@pytest.mark.parametrize(
    ("old", "times"),
    [("x * factor", "no"), ("product", "2"), ("= []\nreturn", "no"), ("Multiply", "no")],
)
def test_text_that_does_not_occur_exactly_once_is_named(old, times):
    with pytest.raises(StaleEdit) as stale:
        apply_edits(SOLUTION, {"number * factor": "number", old: "other"})
    assert str(stale.value) == f"`{old}`, which the solution has {times} times"


IN_FULL = """## largest
```python
import math


def softmax(scores):
    # of all
    return max(scores)
```

## argmax
```python
def argmax(scores):
    return scores.index(max(scores))
```

## cut_short
```python
def softmax(scores):
    return max(
```
"""


def test_an_exercise_written_out_gets_its_docstring(monkeypatch, tmp_path):
    monkeypatch.setattr(curriculum, "MISCONCEPTIONS", tmp_path)
    (tmp_path / "softmax.md").write_text(IN_FULL)
    exercise = read_chapter("one_query").get_exercise("softmax")
    source = apply_mistake(exercise, "largest")
    (_, node), (described,) = (ast.parse(text).body for text in (source, exercise.stub))
    assert node.name == "softmax" and len(node.body) == 2
    assert ast.get_docstring(node) == ast.get_docstring(described)
    assert source.startswith("import math\n") and source.endswith("    return max(scores)")
    for name, line in (("argmax", 11), ("cut_short", 17)):
        with pytest.raises(ChapterError, match=f"misconceptions/softmax.md:{line}: {name} does not define softmax"):
            apply_mistake(exercise, name)
