"""Small edits repair slips of learners, and change neither comments nor strings."""

import ast
import itertools

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from autograder.worker.reading.requests import hash_runs
from autograder.worker.small_edits import MAX_EDITS, find_edits_of_answer, find_small_edits
from autograder.worker.small_edits.edit import KINDS

# (slip, its correction, kind of the edit between them)
PAIRS = [
    ("return np.sum(x, axis=0)", "return np.sum(x, axis=-1)", "axis"),
    ("return np.sum(x)", "return np.sum(x, axis=-1)", "axis"),
    ("return x.sum(0)", "return x.sum(1)", "axis"),
    ("return np.max(x, 0)", "return np.max(x, -1)", "axis"),
    ("return x / np.sum(x, axis=-1)", "return x / np.sum(x, axis=-1, keepdims=True)", "keepdims"),
    ("return x / np.sum(x)", "return x / np.sum(x, axis=-1, keepdims=True)", "axis"),
    ("return x * y", "return x @ y", "operator"),
    ("return y @ x", "return x @ y", "order"),
    ("return np.dot(y, x)", "return np.dot(x, y)", "order"),
    ("return x - x.max() / y", "return (x - x.max()) / y", "order"),
    ("return x[:, 0]", "return x[:, 1]", "constant"),
    ("return np.where(x, 0, -1e-9)", "return np.where(x, 0, float('-inf'))", "constant"),
    ("return np.sum(x, keepdims=False)", "return np.sum(x, keepdims=True)", "truth"),
    ("return x @ x", "return x @ y", "name"),
    ("x = x.copy()\n    x = x + 1\n    return x", "x = x.copy()\n    pass\n    return x", "dropped"),
    ("return x, y", "return x", "return"),
    ("return x @ y", "return x @ y.swapaxes(-1, -2)", "transposition"),
    ("return x @ y.T", "return x @ y", "transposition"),
    ("return x @ y.T", "return x @ y.swapaxes(-1, -2)", "transposition"),
    ("return np.where(y, x, 0)", "return np.where(~y, x, 0)", "mask"),
    ("return ~x", "return x", "mask"),
    ("return x @ y", "x = np.asarray(x)\n    return x @ y", "array"),
    ("return x // y", "return x / y", "operator"),
    ("return x <= y", "return x < y", "comparison"),
    ("return x[i + 1]", "return x[i]", "dropped"),
    ("return x[:n]", "return x[:n + 1]", "bounds"),
    ("return list(range(n))", "return list(range(1, n + 1))", "bounds"),
    ("return np.max(x)", "return np.sum(x)", "function"),
    ("return x / n", "return x / n ** 0.5", "scale"),
    ("return x @ y", "return x @ y / x.shape[-1] ** 0.5", "scale"),
    ("return np.exp(x)", "return np.exp(-x)", "sign"),
    ("return x.astype(np.float32)", "return x.astype(np.float64)", "dtype"),
    ("return np.zeros_like(x)", "return np.zeros_like(x, dtype=float)", "dtype"),
    ("return torch.exp(x).detach()", "return torch.exp(x)", "gradient"),
    ("return x.view(n, 2, 3)", "return x.view(n, 3, 2)", "order"),
    ("x -= y\n    return x", "x = x - y\n    return x", "copy"),
    ("for i in x:\n        y += i\n        return y", "for i in x:\n        y += i\n    return y", "indentation"),
    ("if x:\n        return y", "if not (x):\n        return y", "condition"),
    ("return nn.Linear(x, y)", "return nn.Linear(x, y, bias=False)", "argument"),
    ("return np.log(np.exp(x))", "return np.exp(x)", "call"),
    ("return np.einsum('ij,jk->ik', x, y)", "return np.einsum('ij,kj->ik', x, y)", "order"),
]


def _function(body):
    return f'def f(x, y, n=2, i=0):\n    """Adds 1 to x."""\n    {body}  # np.ones(1) α\n'


@pytest.mark.parametrize(("written", "meant", "kind"), PAIRS)
def test_the_intended_edit_is_in_the_list(written, meant, kind):
    source = _function(written)
    expected = ast.dump(ast.parse(_function(meant)))
    results = [edit for edit in find_small_edits(source, {"f"}) if _parse(edit.apply_to(source)) == expected]
    assert kind in [edit.kind for edit in results]
    if kind != "array":  # Edits of this kind insert a line.
        lines = source.split("\n")
        assert all(lines[edit.line - 1] != edit.apply_to(source).split("\n")[edit.line - 1] for edit in results)


def _parse(source):
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


def test_edits_change_only_the_code_of_the_given_function():
    source = 'def f(x):\n    """Sum of 1."""\n    é = "1 + 1"; return x + é\n\n\n'
    source += "def g(x: int = 1) -> int:\n    return x + 1\n"
    for edit in find_small_edits(source, {"f"}):
        assert (edit.line, edit.last_line) == (3, 3)
        assert edit.apply_to(source).startswith('def f(x):\n    """Sum of 1."""\n    ')
    assert {edit.line for edit in find_small_edits(source, {"g"})} == {6, 7}
    assert len(find_small_edits(source)) == len(find_small_edits(source, {"f"})) + len(find_small_edits(source, {"g"}))


def test_the_last_of_two_definitions_is_edited():
    first, last = "def f(x):\n    return x + 2\n\n\n", "def f(x):\n    return x * 3\n"
    rows = find_edits_of_answer(parse_script("answer.py", first + last), "f", ())
    assert rows
    for row in rows:
        assert row.edit.apply_to(first + last).startswith(first)
        assert len(first) == row.start <= row.edit.start <= row.edit.end <= row.end
    assert hash_runs(first + last, "f") == hash_runs(last, "f") != hash_runs(first, "f")


@pytest.mark.parametrize("source", ["", "def f(:", "x = 1", "def f():\n" + "    return " + "(" * 300 + "1" + ")" * 300])
def test_code_without_the_definition_has_no_edits(source):
    assert find_small_edits(source) == []


def test_large_data_has_few_edits():
    many = "def f(x):\n" + "    x = x + 1\n" * 1_000
    data = f"def f(x):\n    return {list(range(10_000))}\n"
    assert 1_000 < len(find_small_edits(many)) <= MAX_EDITS
    assert find_small_edits(data) == []


def test_every_edit_of_every_solution_is_a_change_of_python():
    exercises = itertools.chain.from_iterable(read_chapter(name).exercises for name in curriculum.CHAPTERS)
    kinds = set()
    for exercise in exercises:
        source, edits = exercise.solution, find_small_edits(exercise.solution, {exercise.name})
        texts = [edit.apply_to(source) for edit in edits]
        assert len(set(texts)) == len(texts) > 0
        assert source not in texts
        assert all(map(_parse, texts[::7]))
        assert all(edit.what for edit in edits)
        kinds |= {edit.kind for edit in edits}
    assert len(KINDS.keys() - kinds) <= 1, KINDS.keys() - kinds
