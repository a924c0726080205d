"""A small suite finds all of its mutants, and correct code is not reported as a mutant."""

import re
from operator import attrgetter

import pytest

from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from mutants import accepted, calls
from mutants.__main__ import show_survivors
from mutants.judging import InProcessSession, is_right, judged, survivors
from mutants.making import SOLUTION, mutants_of, right_answers
from mutants.running import statements_run
from mutants.same import is_same_program

EXERCISE = read_chapter("one_query").get_exercise("dot_attention_score")
ENDS = "import os\n\n\ndef dot_attention_score(state, annotations):\n    os._exit(0)\n"
LOOPS = "def dot_attention_score(state, annotations):\n    while True:\n        pass\n"
RIGHT = "import numpy as np\n\n\ndef dot_attention_score(state, annotations):\n    return np.dot(state, annotations)\n"


BRANCHED = """
import numpy as np


@staticmethod
def dot_attention_score(
    state,
    annotations,
):
    if state is None:
        return 0
    return np.dot(
        state,
        annotations,
    )
"""


def test_a_suite_finds_the_mutants_of_its_solution():
    result = survivors(EXERCISE, SOLUTION)
    assert result.made > 15
    assert {str(mutant) for mutant in result.survivors} <= accepted.read_accepted("one_query")[EXERCISE.name].keys()
    assert result.run and not result.idle


def test_code_that_no_suite_runs_has_no_mutants():
    answer = parse_script("answer.py", BRANCHED)
    assert statements_run(is_right, answer, EXERCISE) == {("answer.py", line) for line in (2, 5, 10, 12)}
    assert statements_run(is_right, parse_script("answer.py", RIGHT.replace("dot(", "add(")), EXERCISE) is None


def test_a_mutant_that_kills_its_process_costs_no_other():
    answers = [parse_script("answer.py", text) for text in (RIGHT, ENDS, RIGHT)]
    assert judged(answers, EXERCISE) == [True, False, True]


def test_an_endless_loop_is_interrupted(monkeypatch):
    monkeypatch.setattr("mutants.judging.SECONDS", 0.05)
    request = ["call", EXERCISE.name, [[1.0], [[2.0]]], {}]
    reply = InProcessSession(parse_script("answer.py", LOOPS)).ask(request, 1, None)
    assert reply["error"]["type"] == "Interrupted"


def test_every_labelled_right_answer_gives_mutants_of_the_exercise_and_its_helpers():
    rights = {right.name: right for right in right_answers(EXERCISE)}
    assert len(rights) > 5
    changes = [mutant.change for mutant in mutants_of(rights["loops.py"])]
    assert any("single_dot" in change for change in changes)
    assert all("«" in change for change in changes)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("x.transpose(-2, -1)", "x.swapaxes(-1, -2)", True),
        ("x.transpose(-2, -1)", "x.swapaxes(-1, -3)", False),
        ("x * 1.0", "x * 1", True),
        ("x * 1.5", "x * 1", False),
        ("a = y\n    b = z", "b = z\n    a = y", True),
        ("a = y\n    b = a", "b = a\n    a = y", False),
        ("a = y", "a = y\n    a = y", True),
        ("a = [a for a in y]", "a = [a for a in y]\n    a = [a for a in y]", True),
        ("a = [a for a in a]", "a = [a for a in a]\n    a = [a for a in a]", False),
        ("a, b = [], []", "b, a = [], []", True),
        ("a, b = [], []", "a, b = [[], []]", True),
        ("a, b = b, a", "b, a = b, a", False),
        ("a = x.mul(y)", "a = x.multiply(y)", True),
        ("'text'\n    a = y", "a = y\n    'text'", True),
        ("a = x * (y * z)", "a = x * y * z", True),
        ("a = x + ('y' + z)", "a = x + 'y' + z", True),
        ("a = x / (y * z)", "a = x / y * z", False),
        ("a = x[..., :, None]", "a = x[:, ..., None]", True),
        ("a = x[..., :, None]", "a = x[..., None, :]", False),
        ("a = torch.stack(x)", "a = torch.stack(x, dim=0)", True),
        ("a = torch.maximum(x, y)", "a = torch.maximum(y, x)", True),
        ("a = np.dot(x, y)", "a = np.dot(y, x)", False),
        ("a = x.movedim(-3, -2)", "a = x.movedim(-2, -3)", True),
        ("a = np.einsum('...j,...j->...', x, y)", "a = np.einsum('...i,...i->...', y, x)", True),
        ("a = np.einsum('ij,jk->ik', x, y)", "a = np.einsum('ij,jk->ik', y, x)", False),
        ("a = np.einsum('...ij,...j->...i', x, y)", "a = np.einsum('ij,j->i', x, y)", False),
    ],
)
def test_equal_programs_are_recognised(before, after, same):
    texts = [f"def f(x, y, z):\n    {body}\n    return a" for body in (before, after)]
    assert is_same_program(*texts) is same


@pytest.mark.parametrize("path", sorted(accepted.FOLDER.iterdir()), ids=attrgetter("stem"))
def test_accepted_mutants_belong_to_correct_answers(path):
    known = {exercise.name: exercise for exercise in read_chapter(path.stem).exercises}
    for name, reasons in accepted.read_accepted(path.stem).items():
        rights = {right.name for right in right_answers(known[name])}
        assert {mutant.partition(", ")[0] for mutant in reasons} <= rights, name


def test_survivors_are_accepted_with_a_reason_and_removed_when_found(monkeypatch, tmp_path, capsys):
    few = [right for right in right_answers(EXERCISE) if right.name in (SOLUTION, "products.py")]
    monkeypatch.setattr("mutants.__main__.right_answers", lambda exercise: iter(few))
    monkeypatch.setattr(accepted, "FOLDER", tmp_path)
    kept = {"softmax": {"loops.py, sign: a": "Kept"}}
    accepted.write_accepted("one_query", kept | {EXERCISE.name: {"gone": "Was right"}})
    show_survivors([EXERCISE], 1, False, None)
    output = capsys.readouterr().out
    assert "take them off the list:\n    gone\n" in output
    assert show_survivors([EXERCISE], 1, False, "Read") == 0
    now = accepted.read_accepted("one_query")
    assert now["softmax"] == kept["softmax"]
    assert set(now[EXERCISE.name].values()) == {"Read"}
    assert all(f"\n  {mutant}\n" in output for mutant in now[EXERCISE.name])


def test_useless_requests_are_listed(monkeypatch, capsys):
    few = [right for right in right_answers(EXERCISE) if right.name in (SOLUTION, "matrix.py")]
    monkeypatch.setattr(calls, "right_answers", lambda exercise: iter(few))
    results = [("one", {0, 1}), ("two", {1, 2}), ("three", {3}), ("none", set())]
    assert calls.needless(results, 5) == [4, 2, 0]
    assert calls.show([EXERCISE]) == 0
    first, *tests = capsys.readouterr().out.splitlines()
    message = re.fullmatch(r"dot_attention_score: (\d+) requests in \d+\.\d ms, (\d+) find nothing more", first)
    assert int(message[1]) == len(calls.get_batch(EXERCISE).steps)
    assert int(message[2]) == sum(int(re.match(r"  test \d+: (\d+) of ", line)[1]) for line in tests)
