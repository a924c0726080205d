"""All input of learners and authors is read or refused with a sentence, without crashes or endless loops."""

import contextlib
import json
import os
import random
import signal

import nbformat
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.boundary.forms import is_load_reply, is_reply
from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script, read_answer
from autograder.chapters.chapter import clear_solution, parse_chapter, read_chapter
from autograder.chapters.errors import ChapterError, UnreadableAnswer
from autograder.classroom.gradebook.queries import ReleasedNotebook, SourceCell
from autograder.classroom.release.restore import make_notebook, restore_cells
from autograder.worker.reading.cells import read_cells
from autograder.worker.reading.notebooks import UNREADABLE, read_bare_cells
from autograder.worker.values import Described, Tensor
from autograder.worker.wire import WireError, decode, encode
from support.wire import decode_and_judge, hostile_message, list_parts

SECONDS = 10  # limit for one case; one that takes longer counts as hung
TIMES = int(os.environ.get("FUZZ", "1"))  # Set FUZZ=20 for an overnight run.
many = settings(
    max_examples=300 * TIMES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
QKV = read_chapter("qkv")
BANNED = next(exercise for exercise in QKV.exercises if exercise.bans)


@contextlib.contextmanager
def limit_time():
    """Fail if the code inside the context takes more than `SECONDS`."""

    def stop(number, frame):
        raise AssertionError("hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# Messages ---------------------------------------------------------------------------------------------------------

MESSAGES = [
    list_parts(encode(value))
    for value in (
        {"value": [1, -0.5, "word", None, True], "ref": 0, "changed": [0]},
        {"value": {"a": np.arange(6.0).reshape(2, 3), 2: (np.float32(1), 2j)}, "changed": []},
        {"value": Described("module", {"parameters": {"w": ((2, 3), "float32")}, "training": False}), "ref": 3},
        {"value": {"arguments": [Tensor(np.ones(3))], "parameters": {"w": None}}},
        {"error": {"type": "ValueError", "message": "no", "where": [["answer.py", 3, "f", "raise ValueError"]]}},
        {"errors": [None], "defined": ["softmax"]},
    )
]
REQUESTS = [
    ["load", [("answer.py", 1, "x = 1")], False],
    ["call", "f", [1], {}],
    ["again", 0],
    ["set", 0, {"w": Tensor(np.ones(3))}],
    ["gradients", 0, [Tensor(np.ones(3))], [0]],
]


def mutate(data, rng, tokens):
    """Return bytes in which a few pieces are replaced, added, doubled or cut."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data) + 1), rng.randint(0, 12)
        piece = rng.choice([b"", bytes(data[at : at + size]) * 2, rng.choice(tokens), rng.randbytes(rng.randint(1, 3))])
        place = rng.randrange(len(data) + 1) if rng.random() < 0.2 else at
        data[place : place + rng.choice([0, size])] = piece
    return bytes(data)


TOKENS = [
    b'{"k":"dict","of":[]}', b'{"k":"int","hex":"ff"}', b'{"k":"array","dtype":"<f8","shape":[0],"bytes":0}',
    b"[", b"]", b"null", b"1e999", b"NaN", b'"\\ud800"', b"-1", b'"k"', b'"of"', b"true", b"[" * 50, b"9" * 30,
]  # fmt: skip


def test_mutated_messages_raise_only_wire_errors():
    decoded = 0
    for seed in range(2000 * TIMES):
        rng = random.Random(seed)
        text, raw = rng.choice(MESSAGES)
        with limit_time():
            decoded += decode_and_judge(mutate(text, rng, TOKENS), raw if rng.random() < 0.9 else rng.randbytes(9))
    assert 0.02 < decoded / (2000 * TIMES) < 0.98


def test_hostile_trees_as_replies_give_a_verdict():
    for seed in range(500 * TIMES):
        tree, raw = hostile_message(random.Random(seed))
        with contextlib.suppress(WireError):
            value = decode(json.dumps(tree).encode(), raw)
            for request in REQUESTS:
                for reply in (value, {"value": value}, {"error": value}, {"value": 1, "changed": value}):
                    assert is_reply(reply, request) in (True, False)
            for reply in (value, {"errors": value, "defined": []}, {"errors": [value], "defined": value}):
                assert is_load_reply(reply, REQUESTS[0]) in (True, False)


# Notebooks --------------------------------------------------------------------------------------------------------

SOURCES = [
    "def softmax(x):\n    return x", "%matplotlib inline\n!ls\nx?", "%%time\ny = 1", "x = !ls", "def f(:", "\0", "",
]  # fmt: skip
NOTEBOOK = nbformat.writes(
    nbformat.v4.new_notebook(
        cells=[
            *(nbformat.v4.new_code_cell(source, metadata={"nbgrader": {"grade_id": "softmax"}}) for source in SOURCES),
            nbformat.v4.new_markdown_cell("# Title"),
            nbformat.v4.new_code_cell(["x = 1\n", "y = 2"], metadata={"nbgrader": {"grade_id": "b", "locked": True}}),
        ]
    )
).encode()
JSON_TOKENS = [
    *TOKENS, b'"cells"', b'"source"', b'"metadata": {"nbgrader": 5}', b'"nbformat": 3', b'"cell_type": "code"',
    b'"%%!?"', b'["%x\\n"]', b'{"nbgrader": {"locked": []}}', b"{}", b"\xef\xbb\xbf", b"\xff", b'"worksheets"',
]  # fmt: skip


def assert_read_or_refused(read, *args):
    with limit_time():
        try:
            answer = read(*args)
        except UnreadableAnswer as refused:
            assert len(str(refused)) > 20
            return False
        assert answer.cells == tuple(answer.remove_leftover_stubs(QKV.exercises).cells) or answer.cells
        assert all(isinstance(cell.source, str) for cell in answer.cells)
        assert isinstance(answer.definitions, dict)
        return True


def test_mutated_notebooks_are_read_or_refused(tmp_path):
    path, read = tmp_path / "one_query.ipynb", 0
    for seed in range(600 * TIMES):
        path.write_bytes(mutate(NOTEBOOK, random.Random(seed), JSON_TOKENS))
        read += assert_read_or_refused(read_answer, path)
    assert 0.02 < read / (600 * TIMES) < 0.98


GIVEN = {
    "softmax": SourceCell("softmax", SOURCES[0], "code", False, "0"),
    "b": SourceCell("b", "x = 1\ny = 2", "code", True, "0"),
    "text": SourceCell("text", "# Title", "markdown", True, "0"),
}
RELEASED = ReleasedNotebook(GIVEN, {"softmax": 8.0}, frozenset({"softmax"}))


def test_mutated_notebooks_are_restored():
    complete = unreadable = 0
    for seed in range(300 * TIMES):
        content = mutate(NOTEBOOK, random.Random(seed), JSON_TOKENS)
        with limit_time():
            notebook = make_notebook(*read_bare_cells(content))
            results = restore_cells(notebook.cells, RELEASED)
        nbformat.validate(notebook)
        marked = [cell.metadata.nbgrader.grade_id for cell in results if "nbgrader" in cell.metadata]
        assert len(marked) == len(set(marked)) and "softmax" in marked
        unreadable += UNREADABLE in notebook.metadata
        complete += UNREADABLE not in notebook.metadata
    assert min(complete, unreadable) > 5


# Scripts and chapters ---------------------------------------------------------------------------------------------

CHAPTER = (curriculum.SOLUTIONS / "one_query.py").read_bytes()
ANSWER = (curriculum.ROOT / "tests" / "answers" / "qkv" / "wrong_shortcuts.py").read_bytes()
MARKS = [
    b'# %% exercise="softmax" points=4\n', b"### BEGIN SOLUTION\n", b"    ### END SOLUTION\n", b"# %%\n", b"# ---\n",
    b'# %% [markdown] hint="softmax"\n', b' tags=["active-ipynb"]', b' points=-1 bans="x', b"# %% [", b"\r\n", b"\x0c",
]  # fmt: skip
CODE = [
    b"getattr(torch, 'x' + 'y')", b"eval('F.scaled')", b"import torch.nn as torch\n", b"from x import *\n", b"x.y.z",
    b"(", b")" * 3, b"lambda: ", b"-" * 400, b".a" * 800, b"(" * 60, b"x = x\n", b"class DotProductAttention", b"\0",
    b"setattr(dot_attention, 'x', 1)\n", b"\t", b"if x:\n", b"    ", b"'''", b"\\\n",
    b"F['scaled_dot_product_attention']",
]  # fmt: skip


def test_mutated_chapters_are_read_or_refused():
    parsed = 0
    for seed in range(150 * TIMES):
        text = mutate(CHAPTER, random.Random(seed), MARKS).decode("utf-8", "replace")
        with limit_time():
            for cell in read_cells(text):
                assert cell.raw in text
            try:
                parsed += bool(parse_chapter("one_query", text))
            except ChapterError as error:
                assert "one_query.py" in str(error)
    assert 0.1 < parsed / (150 * TIMES) < 0.98


@many
@given(
    st.lists(st.sampled_from(["### BEGIN SOLUTION", "  ### END SOLUTION", "x = 1", "", "\f", "    pass"]), max_size=8)
)
def test_a_cleared_notebook_contains_no_solution(lines):
    try:
        stub = clear_solution("\n".join(lines), "here")
    except ChapterError as error:
        assert str(error).startswith("here: ")
    else:
        assert "SOLUTION" not in stub
        assert "raise NotImplementedError" in stub


def test_mutated_answers_are_searched_for_shortcuts():
    results = 0
    for seed in range(300 * TIMES):
        text = mutate(ANSWER, random.Random(seed), CODE).decode("utf-8", "replace")
        with limit_time():
            shortcut = parse_script("qkv.py", text).find_shortcut(BANNED)
        assert shortcut is None or (len(shortcut) == 2 and all(shortcut))
        results += shortcut is not None
    assert 0 < results < 300 * TIMES


# Earlier faults ---------------------------------------------------------------------------------------------------

NAMES = "\n".join(f"a{number} = a{number + 1}" for number in range(6000))
DEEP = "def dot_attention(x):\n    return "


@pytest.mark.parametrize(
    "source",
    [
        DEEP + " + ".join(["x"] * 2500),
        DEEP + "x" + ".a" * 2500,
        DEEP + "-" * 2500 + "x",
        DEEP + "(" * 150 + "x" + ")" * 150,
        DEEP + "[" * 5000,
        "if 0:\n    pass\n" + "elif 1:\n    pass\n" * 2500,
        f"{DEEP}a0\n{NAMES}\n",
        "import torch as t\n" + "t = t.t\n" * 3000 + DEEP + "t",
        "\n".join(f"setattr(dot_attention, 'a', {number})" for number in range(2500)),
        "class DotAttention:\n" + "    def f(self): pass\n" * 3000,
    ],
    ids=["sum", "attributes", "signs", "brackets", "open brackets", "elif", "names", "aliases", "setattr", "methods"],
)
def test_long_and_deep_sources_are_read_or_refused(source):
    with limit_time():
        assert_read_or_refused(parse_script, "qkv.py", source)
        parse_script("qkv.py", source).find_shortcut(BANNED)


@pytest.mark.parametrize("tail", ["[", "x[x", "=[", "a", " a=" * 9 + "[", ' a="' + "\\\\" * 9])
def test_long_marker_lines_are_read_in_little_time(tail):
    with limit_time():
        read_cells(f"# %%{' ' * 300_000}{tail}\n# %% {'a' * 300_000}{tail}\n# %% a=1 {'a' * 300_000}\n")
