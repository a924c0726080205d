"""Whatever is read from learners and authors is read or refused with a sentence: never a crash, never a hang."""

import contextlib
import json
import os
import random
import signal
import socket
import struct
import threading
import time

import nbformat
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.boundary.channel import Worker
from autograder.boundary.forms import is_load_reply, is_reply
from autograder.chapters import curriculum
from autograder.chapters.answers import notebook_answer, read_answer, script_answer
from autograder.chapters.chapter import cleared, parse_chapter, read_chapter
from autograder.chapters.errors import ChapterError, UnreadableAnswer
from autograder.classroom.release.restore import Given, Released, notebook_of, restored
from autograder.worker.reading.cells import read_cells
from autograder.worker.reading.definitions import definitions, dump_of
from autograder.worker.reading.notebooks import UNREADABLE, bare_cells
from autograder.worker.reading.shortcuts import Shortcut, find_shortcut
from autograder.worker.values import Described, Opaque, Tensor
from autograder.worker.wire import WireError, decode, encode
from support.wire import across, decode_and_judge, hostile_message, parts_of

SECONDS = 10  # for one case: what takes longer hangs
many = settings(
    max_examples=1200, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
QKV = read_chapter("qkv")
BANNED = next(exercise for exercise in QKV.exercises if exercise.bans)


@contextlib.contextmanager
def in_time():
    """Fail where one case hangs."""

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
    parts_of(encode(value))
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


def mutated(data, rng, tokens):
    """Bytes with a few pieces replaced, doubled, moved or cut."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data) + 1), rng.randint(0, 12)
        piece = rng.choice([b"", bytes(data[at : at + size]) * 2, rng.choice(tokens), rng.randbytes(rng.randint(1, 3))])
        place = rng.randrange(len(data) + 1) if rng.random() < 0.2 else at
        data[place : place + rng.choice([0, size])] = piece
    return bytes(data)


TOKENS = [
    b'{"k":"dict","of":[]}',
    b'{"k":"int","hex":"ff"}',
    b"[",
    b"]",
    b"null",
    b"1e999",
    b"NaN",
    b'"\\ud800"',
    b"-1",
]
TOKENS += [b'{"k":"array","dtype":"<f8","shape":[0],"bytes":0}', b'"k"', b'"of"', b"true", b"[" * 50, b"9" * 30]


def fuzz_messages(seeds):
    decoded = 0
    for seed in seeds:
        rng = random.Random(seed)
        text, raw = rng.choice(MESSAGES)
        with in_time():
            decoded += decode_and_judge(mutated(text, rng, TOKENS), raw if rng.random() < 0.9 else rng.randbytes(9))
    return decoded


def test_mutated_messages():
    assert 100 < fuzz_messages(range(5000)) < 4900


@pytest.mark.slow
def test_mutated_messages_for_longer():
    assert fuzz_messages(range(10**6, 10**6 + 20_000))


names = st.text(max_size=4) | st.sampled_from(
    ["value", "error", "ref", "changed", "errors", "defined", "type", "where"]
)
leaves = st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5)
leaves |= st.sampled_from([np.zeros(2), Tensor(np.zeros(3)), Opaque("T", "t"), np.float64(1)])
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(names | st.integers(), inner, max_size=4)
        | st.builds(Described, st.sampled_from(["module", "axes", "x"]), st.dictionaries(names, inner))
    ),
    max_leaves=10,
)
steps = st.lists(st.lists(values, max_size=4), max_size=2)
errors = st.fixed_dictionaries({"type": values, "message": values, "where": values | steps})
replies = (
    values
    | st.fixed_dictionaries({"value": values}, optional={"ref": values, "changed": values, "error": values})
    | st.fixed_dictionaries({"error": errors | values})
    | st.fixed_dictionaries(
        {"errors": st.lists(errors | st.none(), max_size=2), "defined": st.lists(values, max_size=2)}
    )
)


@many
@given(replies, st.sampled_from(REQUESTS))
def test_every_reply_is_one_or_none(reply, request):
    reply = across(reply)
    assert is_reply(reply, request) in (True, False)
    assert is_load_reply(reply, REQUESTS[0]) in (True, False)


def test_hostile_trees_as_replies():
    for seed in range(2000):
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
    "def softmax(x):\n    return x",
    "%matplotlib inline\n!ls\nx?",
    "%%time\ny = 1",
    "x = !ls",
    "def f(:",
    "\0",
    "",
]
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
    *TOKENS,
    b'"cells"',
    b'"source"',
    b'"metadata": {"nbgrader": 5}',
    b'"nbformat": 3',
    b'"cell_type": "code"',
]
JSON_TOKENS += [
    b'"%%!?"',
    b'["%x\\n"]',
    b'{"nbgrader": {"locked": []}}',
    b"{}",
    b"\xef\xbb\xbf",
    b"\xff",
    b'"worksheets"',
]
WORDS = ["cells", "cell_type", "source", "metadata", "nbgrader", "locked", "grade", "solution", "worksheets"]
WORDS += ["input", "nbformat", "grade_id"]
parts = st.recursive(
    st.none() | st.integers(-1, 5) | st.sampled_from(["code", "markdown", "%x\n!y\nz?", "def f(): pass", "\ud800", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(WORDS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
cells = st.fixed_dictionaries(
    {"cell_type": st.just("code") | parts, "source": st.sampled_from(SOURCES) | parts, "metadata": st.just({}) | parts}
)


def assert_read_or_refused(read, *args):
    with in_time():
        try:
            answer = read(*args)
        except UnreadableAnswer as refused:
            assert len(str(refused)) > 20
            return False
        assert answer.cells == tuple(answer.without_leftover_stubs(QKV.exercises).cells) or answer.cells
        assert all(isinstance(cell.source, str) for cell in answer.cells)
        assert isinstance(answer.definitions, dict)
        return True


def fuzz_notebooks(seeds, tmp_path):
    path, read = tmp_path / "one_query.ipynb", 0
    for seed in seeds:
        path.write_bytes(mutated(NOTEBOOK, random.Random(seed), JSON_TOKENS))
        read += assert_read_or_refused(read_answer, path)
    return read


def test_mutated_notebooks(tmp_path):
    assert 50 < fuzz_notebooks(range(2000), tmp_path) < 1950


@pytest.mark.slow
def test_mutated_notebooks_for_longer(tmp_path):
    assert fuzz_notebooks(range(10**6, 10**6 + 8_000), tmp_path)


@many
@given(parts | st.fixed_dictionaries({"cells": st.lists(cells, max_size=4), "nbformat": st.just(4) | parts}))
def test_odd_notebooks(notebook):
    assert_read_or_refused(notebook_answer, "one_query.ipynb", notebook)


GIVEN = {
    "softmax": Given("softmax", SOURCES[0], "code", False, "0"),
    "b": Given("b", "x = 1\ny = 2", "code", True, "0"),
    "text": Given("text", "# Title", "markdown", True, "0"),
}
RELEASED = Released(GIVEN, {"softmax": 8.0}, frozenset({"softmax"}))


def fuzz_restoring(seeds):
    whole = unreadable = 0
    for seed in seeds:
        content = mutated(NOTEBOOK, random.Random(seed), JSON_TOKENS)
        with in_time():
            notebook = notebook_of(*bare_cells(content))
            found = restored(notebook.cells, RELEASED)
        nbformat.validate(notebook)
        marked = [cell.metadata.nbgrader.grade_id for cell in found if "nbgrader" in cell.metadata]
        assert len(marked) == len(set(marked)) and "softmax" in marked
        unreadable += UNREADABLE in notebook.metadata
        whole += UNREADABLE not in notebook.metadata
    return whole, unreadable


def test_mutated_notebooks_are_restored():
    whole, unreadable = fuzz_restoring(range(800))
    assert whole > 20
    assert unreadable > 20


# Scripts and chapters ---------------------------------------------------------------------------------------------

CHAPTER = (curriculum.SOLUTIONS / "one_query.py").read_bytes()
ANSWER = (curriculum.ROOT / "tests" / "answers" / "qkv" / "wrong_shortcuts.py").read_bytes()
MARKS = [
    b'# %% exercise="softmax" points=4\n',
    b"### BEGIN SOLUTION\n",
    b"    ### END SOLUTION\n",
    b"# %%\n",
    b"# ---\n",
]
MARKS += [
    b'# %% [markdown] hint="softmax"\n',
    b' tags=["active-ipynb"]',
    b' points=-1 bans="x',
    b"# %% [",
    b"\r\n",
    b"\x0c",
]
CODE = [
    b"getattr(torch, 'x' + 'y')",
    b"eval('F.scaled')",
    b"import torch.nn as torch\n",
    b"from x import *\n",
    b"x.y.z",
]
CODE += [
    b"(",
    b")" * 3,
    b"lambda: ",
    b"-" * 400,
    b".a" * 800,
    b"(" * 60,
    b"x = x\n",
    b"class DotProductAttention",
    b"\0",
]
CODE += [
    b"setattr(dot_attention, 'x', 1)\n",
    b"\t",
    b"if x:\n",
    b"    ",
    b"'''",
    b"\\\n",
    b"F['scaled_dot_product_attention']",
]


def fuzz_chapters(seeds):
    parsed = 0
    for seed in seeds:
        text = mutated(CHAPTER, random.Random(seed), MARKS).decode("utf-8", "replace")
        with in_time():
            for cell in read_cells(text):
                assert cell.raw in text
            try:
                parsed += bool(parse_chapter("one_query", text))
            except ChapterError as error:
                assert "one_query.py" in str(error)
    return parsed


def test_mutated_chapters():
    assert 30 < fuzz_chapters(range(300)) < 295


@pytest.mark.slow
def test_mutated_chapters_for_longer():
    assert fuzz_chapters(range(10**6, 10**6 + 1200))


@many
@given(
    st.lists(st.sampled_from(["### BEGIN SOLUTION", "  ### END SOLUTION", "x = 1", "", "\f", "    pass"]), max_size=8)
)
def test_cleared_leaves_no_solution(lines):
    try:
        stub = cleared("\n".join(lines), "here")
    except ChapterError as error:
        assert str(error).startswith("here: ")
    else:
        assert "SOLUTION" not in stub
        assert "raise NotImplementedError" in stub


@many
@given(
    st.text(max_size=40) | st.lists(st.sampled_from([*map(bytes.decode, MARKS + CODE), "def f():", "\n"])).map("".join)
)
def test_any_text_is_read_as_a_script(text):
    with in_time():
        assert_read_or_refused(script_answer, "one_query.py", text)
        assert isinstance(definitions(text), dict)
        assert isinstance(dump_of(text, "f"), (str, type(None)))
        "".join(cell.raw for cell in read_cells(text))


def fuzz_shortcuts(seeds):
    found = 0
    for seed in seeds:
        text = mutated(ANSWER, random.Random(seed), CODE).decode("utf-8", "replace")
        with in_time():
            shortcut = find_shortcut(script_answer("qkv.py", text), BANNED)
        assert shortcut is None or (isinstance(shortcut, Shortcut) and shortcut.name and shortcut.place)
        found += shortcut is not None
    return found


def test_mutated_answers_are_searched_for_shortcuts():
    assert 0 < fuzz_shortcuts(range(1000)) < 1000


@pytest.mark.slow
def test_mutated_answers_are_searched_for_longer():
    assert fuzz_shortcuts(range(10**6, 10**6 + 4_000))


# What once went wrong ---------------------------------------------------------------------------------------------

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
def test_long_and_deep_sources(source):
    with in_time():
        assert_read_or_refused(script_answer, "qkv.py", source)
        find_shortcut(script_answer("qkv.py", source), BANNED)


@pytest.mark.parametrize("source", ["!ls\n" * 600, "!ls\n" * 20_000, "x?\n" * 3000, "%a\n" * 140 + "\n" * 40_000])
def test_thousands_of_magics(source):
    notebook = {"nbformat": 4, "cells": [{"cell_type": "code", "source": source}]}
    assert assert_read_or_refused(notebook_answer, "qkv.ipynb", notebook)


@pytest.mark.parametrize("source", ["x = 1\n" * 20_000, "#" * 90_000 + "\n\n# %%\n"])
def test_too_much_code(source):
    with pytest.raises(UnreadableAnswer, match="more code than can be graded"):
        script_answer("qkv.py", source * 12)


@pytest.mark.parametrize("tail", ["[", "x[x", "=[", "a", " a=" * 9 + "[", ' a="' + "\\\\" * 9])
def test_long_marker_lines(tail):
    with in_time():
        read_cells(f"# %%{' ' * 300_000}{tail}\n# %% {'a' * 300_000}{tail}\n# %% a=1 {'a' * 300_000}\n")


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "qkv.py")
    with in_time(), pytest.raises(UnreadableAnswer, match="is not a file"):
        read_answer(tmp_path / "qkv.py")
    with open(tmp_path / "qkv.ipynb", "wb") as file:
        file.truncate(1 << 30)
    with in_time(), pytest.raises(UnreadableAnswer, match="larger than 128 MB"):
        read_answer(tmp_path / "qkv.ipynb")


COLLIDING = {"k": "dict", "of": [[{"k": "int", "hex": hex(number * (2**61 - 1))}, 0] for number in range(100_000)]}
ROWS = {"k": "array", "dtype": "<f8", "shape": [2**61, 0], "bytes": 0}
WIDE = {"k": "list", "of": ["x" * 7_000_000] + [1.0] * 100_000}


@pytest.mark.parametrize("tree", [COLLIDING, ROWS, WIDE], ids=["colliding keys", "endless rows", "wide text"])
def test_small_messages_that_grow(tree):
    text = json.dumps(tree).encode()
    assert len(text) < 8 << 20
    with in_time():
        decode_and_judge(text, b"")


def test_a_dripping_reply_ends_at_the_deadline():

    ours, theirs = socket.socketpair()
    worker = Worker.__new__(Worker)
    worker.channel = ours
    worker._weigh = lambda: None  # there is no process
    stop = threading.Event()

    def drip():
        theirs.sendall(struct.pack("!II", 10, 1 << 20))
        while not stop.is_set():
            theirs.sendall(b" ")
            time.sleep(1e-4)

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        with in_time(), pytest.raises(TimeoutError):
            worker._receive(time.monotonic() + 0.5)
    finally:
        stop.set()
        thread.join()
        ours.close()
        theirs.close()
