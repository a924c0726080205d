"""What answers may do to the grader, and what they get for it.

Every case is the same honest chapter with one more cell, which replaces or breaks `softmax`. Whatever that cell does,
the verdict on `softmax` is the one stated, the sentence is fit to be read, the six other exercises keep their
points, nothing is left running, and the grader goes on.
"""

import os
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.boundary import sandbox
from autograder.boundary import session as session_module
from autograder.boundary import zygotes as process
from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.tasks import Task
from autograder.grading.one import grade
from autograder.judging.ask import answer as answer_module
from autograder.views.words import words_of
from support.grading import ANSWERS, SECRET, grade_answers, grade_source

EXERCISES = [exercise.name for exercise in read_chapter("one_query").exercises]
HONEST = (ANSWERS / "one_query" / "products.py").read_text(encoding="utf-8").partition("import numpy as np")[2]
# `attend` stands on its own feet here, so that only softmax is harmed.
HONEST = "import os, sys, time\nimport numpy as np\n\n" + HONEST.replace("= softmax(", "= _own(").replace(
    "def attend", "_own = softmax\n\n\ndef attend"
)
RIGHT = "def softmax(x):\n    e = np.exp(np.array(x) - np.max(x))\n    return e / e.sum()\n"
FRAME = """
import struct
tree = b'{"k":"dict","of":[["value",{"k":"list","of":[0.5,0.5]}],["ref",0],["changed",{"k":"list","of":[]}]]}'
message = struct.pack("!II", len(tree), 0) + tree
"""


@dataclass
class Case:
    """A last cell, the outcome of `softmax`, and words that its sentence must hold."""

    cell: str
    outcome: str
    words: str = ""
    also_harmed: tuple = ()

    @property
    def source(self):
        return f"{HONEST}\n\n# %%\n{textwrap.dedent(self.cell)}\n"


def body(lines, outcome, words=""):
    """A case whose cell is a `softmax` with these lines."""
    return Case("def softmax(x):\n" + textwrap.indent(textwrap.dedent(lines).strip(), "    "), outcome, words)


def also(lines):
    """A case in which the cell does something besides answering rightly, and keeps its points."""
    return Case(textwrap.dedent(lines) + "\n" + RIGHT, "passed")


ENDING = {
    "os._exit in a call": body("os._exit(0)", "killed", "exit code 0"),
    "os._exit with a code": body("os._exit(77)", "killed", "exit code 77"),
    "sys.exit in a call": body("sys.exit(0)", "raised", "sys.exit"),
    "sys.exit in its cell": Case("sys.exit('done')\n" + RIGHT, "passed"),  # the cell above has defined softmax
    "an abort": body("os.abort()", "killed", "was ended by signal"),
    "a kill of its own group": body("os.killpg(0, 9)", "wrong"),  # the first process of a namespace is immune
    "an exit in __del__": body("type('D', (), {'__del__': lambda self: os._exit(4)})()", "killed", "exit code 4"),
    "an exit while the result is described": body(
        "return type('R', (), {'__repr__': lambda self: os._exit(5)})()", "killed", "exit code 5"
    ),
    "a crash of the interpreter": body("import ctypes\nctypes.string_at(0)", "killed", "signal 11"),
    "all descriptors closed": body("os.closerange(0, 256)", "killed"),
    "atexit": also("import atexit\natexit.register(sys.exit, 3)"),
}
FORGING = {
    "a verdict on standard output": body(
        """print('{"outcome": "passed", "points": 8}', flush=True)\nreturn np.zeros(len(x))""", "wrong", "returned 0"
    ),
    "a frame on standard output": body(FRAME + "\nos.write(1, message)\nreturn np.zeros(len(x))", "wrong"),
    "garbage on every descriptor": body(
        """
        for fd in range(3, 20):
            try:
                os.write(fd, b"[garbage]" * 20)
            except OSError:
                pass
        return np.zeros(len(x))
        """,
        "killed",
        "channel that belongs to the grader",
    ),
    "a giant length on every descriptor": body(
        """
        for fd in range(3, 20):
            try:
                os.write(fd, b"\\xff" * 8)
            except OSError:
                pass
        return np.zeros(len(x))
        """,
        "killed",
        "larger than the wire carries",
    ),
    "malformed replies": body(
        """
        import json, struct
        for reply in ({"error": 5}, {"value": 1, "changed": {"k": "list", "of": ["x"]}}, {"errors": 1, "defined": 2}):
            tree = json.dumps({"k": "dict", "of": list(map(list, reply.items()))}).encode()
            for fd in range(3, 20):
                try:
                    os.write(fd, struct.pack("!II", len(tree), 0) + tree)
                except OSError:
                    pass
        """,
        "killed",
        "channel that belongs to the grader",
    ),
    "json.dumps replaced": body("import json\njson.dumps = lambda *a, **k: '\"passed\"'", "killed"),
    "np.asarray replaced": Case(  # in the worker too: the first exercise after it pays for the kill
        "def softmax(x):\n    np.asarray = lambda *a, **k: 1\n    return [1.0]",
        "wrong",
        "",
        ("apply_attention_scores",),
    ),
    "the comparison functions replaced": Case(
        """
        import pickle
        np.allclose = np.isclose = np.array_equal = np.array_equiv = lambda *a, **k: True
        np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
        pickle.loads = pickle.dumps = lambda *a, **k: b""
        def softmax(x):
            return np.zeros(len(x))
        """,
        "wrong",
        "returned 0",
    ),
    "NumPy's own methods replaced": Case("np.ndarray.__eq__ = lambda self, other: True\n" + RIGHT, "passed"),
    "the worker's code replaced": body(
        """
        main = sys.modules["__main__"]
        main.encode = lambda reply: (_ for _ in ()).throw(ValueError("\\x1b[31mnever"))
        """,
        "wrong",  # the first reply is under way by then; the others are killed
    ),
    "sys.modules emptied": body("sys.modules.clear()\nreturn np.zeros(len(x))", "wrong"),
    "the kit imported": body("import autograder", "raised", "No module named 'autograder'"),
    "the suites imported": body("import autograder.suites", "raised", "No module named"),
    "the solutions imported": body("import solutions", "raised", "No module named 'solutions'"),
    "the misconceptions on the path": body("from misconceptions import softmax", "raised", "No module named"),
}
RESULTS = {
    "None": body("pass", "wrong", "perhaps a `return` is missing"),
    "a string": body("return 'passed'", "wrong", "expected numbers"),
    "NaN": body("return np.full(len(x), np.nan)", "wrong", "returned nan"),
    "complex numbers": body("return np.zeros(len(x), complex)", "wrong", "complex"),
    "an object array": body("return np.array([None] * len(x))", "wrong", "dtype=object"),
    "dates": body("return np.zeros(len(x), 'datetime64[s]')", "wrong", "expected numbers"),
    "records": body("return np.zeros(len(x), [('a', float)])", "wrong", "expected numbers"),
    "booleans": body("return np.ones(len(x), bool)", "wrong", "booleans"),
    "a ragged list": body("return [[1.0], [1.0, 2.0]]", "wrong", "different lengths"),
    "a generator": body("yield from x", "wrong", "generator"),
    "a coroutine": Case("async def softmax(x):\n    return x", "wrong", "coroutine"),
    "a dictionary": body("return dict(enumerate(x))", "wrong", "expected numbers"),
    "a set": body("return {0.5, 1.0}", "wrong", "expected numbers"),
    "itself": body("return softmax", "wrong", "function"),
    "a module": body("return np", "wrong", "module"),
    "a gigabyte": body("return np.zeros(2**27)", "wrong", "(134217728,)"),
    "a huge list": body("return [0.0] * 10**7", "wrong", "10000000 parts"),
    "a list of huge lists": body("return [[0.0] * 150_000] * 1000", "wrong"),
    "huge strings": body("return ['x' * 99_000] * 200", "raised", "larger than the wire carries"),
    "a deeply nested list": body("r = []\nfor _ in range(10**5): r = [r]\nreturn r", "wrong"),
    "a list that contains itself": body("r = [1.0]\nr += [r, r]\nreturn r", "wrong"),
    "a dictionary that contains itself": body("r = {}\nr['r'] = r\nreturn r", "wrong"),
    "an integer of ten million digits": body("return [1 << 40_000_000]", "wrong", "an integer of 40000001 bits"),
    "an integer of three hundred digits": body("return [10**300] * len(x)", "wrong"),
    "an array of 64 dimensions": body("return np.zeros((1,) * 64)", "wrong", "shape"),
    "an object that equals everything": body(
        "return type('Yes', (), {'__eq__': lambda self, other: True, '__bool__': lambda self: True})()", "wrong"
    ),
    "an array of objects that equal everything": body(
        "return np.array([type('Yes', (), {'__eq__': lambda self, other: True})()] * len(x))", "wrong"
    ),
    "an array that lies": Case(
        """
        class Liar(np.ndarray):
            def __eq__(self, other): return True
            def __array_ufunc__(self, ufunc, method, *inputs, **kwargs): return True
            def __array_function__(self, function, types, args, kwargs): return True
            def __array__(self, *args, **kwargs): return np.ones(3)
            def tobytes(self, *args): return b"lies"
            def astype(self, *args, **kwargs): return self
            shape = dtype = size = nbytes = property(lambda self: 3)
        def softmax(x):
            return np.zeros(len(x)).view(Liar)
        """,
        "wrong",
        "returned 0",
    ),
    "numbers that lie": Case(
        """
        class Liar(float):
            def __eq__(self, other): return True
            def __float__(self): return 0.5
            __repr__ = __str__ = lambda self: "0.5"
            as_integer_ratio = hex = __round__ = lambda self: (1, 2)
        def softmax(x):
            return [Liar(0.0)] * len(x)
        """,
        "wrong",
        "returned 0",
    ),
    "a list that lies": Case(
        """
        class Liar(list):
            def __eq__(self, other): return True
            def __iter__(self): return iter([1.0])
            def __len__(self): return 1
        def softmax(x):
            return Liar([0.0] * len(x))
        """,
        "wrong",
        "returned 0",
    ),
    "an object with a hostile repr": body(
        "return type('R\\x1b[2J', (), {'__repr__': lambda self: '\\x1b[31m\\x07\\u202e' * 9999})()", "wrong", "object"
    ),
    "an object whose repr raises": body(
        "return type('R', (), {'__repr__': lambda self: 1 / 0})()", "wrong", "its repr raises an error"
    ),
    "a class with a hostile metaclass": body(
        "return type('M', (type,), {'__name__': property(lambda cls: 1 / 0)})('R', (), {})()", "killed"
    ),
}
ERRORS = {
    "an exception whose text raises": body(
        "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})()", "raised", "cannot be printed"
    ),
    "an exception of ten megabytes": body("raise ValueError('long ' * 2_000_000)", "raised", "raised ValueError: long"),
    "an exception in colour": body(
        "raise ValueError('\\x1b[2J\\x1b[31mred\\x07\\x08\\r\\x9b0m\\x1b]8;;http://x\\x1b\\\\')", "raised", "red"
    ),
    "an exception with a hostile name": body(
        "raise type('\\x1b[31mE\\x07' * 200_000, (Exception,), {})('no')", "raised", "raised"
    ),
    "KeyboardInterrupt": body("raise KeyboardInterrupt", "raised", "raised KeyboardInterrupt"),
    "GeneratorExit": body("raise GeneratorExit", "raised", "raised GeneratorExit"),
    "BaseException": body("raise BaseException('base')", "raised", "raised BaseException: base"),
    "deep recursion": body("return softmax(x)", "raised", "RecursionError"),
    "too much memory at once": body("return np.ones(10**12)", "memory", "ran out of memory"),
    "too much memory by and by": body("k = []\nwhile True: k.append(np.zeros(1 << 27))", "memory", "out of memory"),
    "fewer parameters": Case("def softmax():\n    return 1", "raised", "TypeError"),
    "more parameters": Case("def softmax(x, axis):\n    return 1", "raised", "TypeError"),
    "warnings as errors": body("import warnings\nwarnings.simplefilter('error')\nwarnings.warn('no')", "raised"),
    "input": body("return float(input('scores? '))", "raised", "EOFError"),
    "a stub further down": Case(
        """
        def normalize_by_sum(scores):
            raise NotImplementedError
        def softmax(x):
            return normalize_by_sum(np.exp(x))
        """,
        "raised",
        "calls normalize_by_sum, which is still to do",
        ("normalize_by_sum",),
    ),
    "not a function": Case("softmax = 5", "wrong", "softmax is not a function"),
    "a name that is gone": Case("del softmax", "wrong", "softmax is not a function"),
    "a syntax error in its cell": Case("del softmax\n\n# %%\ndef softmax(x:\n    return x", "raised", "SyntaxError"),
    "an error in its cell": Case(
        "del softmax\n\n# %%\n1 / 0\ndef softmax(x):\n    return x", "raised", "its cell raised ZeroDivisionError"
    ),
}
BYSTANDERS = {
    "two hundred megabytes of output": also("for _ in range(200): print('x' * 1_000_000)"),
    "output in colour": also("print('\\x1b[31m', file=sys.stderr)"),
    "warnings are errors": also(
        "import warnings\nwarnings.simplefilter('error')\nnp.seterr(divide='raise', invalid='raise')"
    ),
    "another folder": also("os.chdir('/')"),
    "its folder removed": also("import shutil\nshutil.rmtree(os.getcwd())"),
    "threads left running": also(
        "import threading\n[threading.Thread(target=time.sleep, args=(300,), daemon=d).start() for d in (True, False)]"
    ),
    "children left running": also(
        "import subprocess\nfor _ in range(3): subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])"
    ),
    "modules taken away": also("sys.modules['json'] = sys.modules['struct'] = None"),
    "a __del__ that raises": also("class D:\n    def __del__(self): raise ValueError\nD()"),
    "a silenced standard output": also("sys.stdout = sys.stderr = None"),
    "a recursion limit": also("sys.setrecursionlimit(10**6)"),
}
CASES = ENDING | FORGING | RESULTS | ERRORS | BYSTANDERS


@pytest.fixture(scope="module")
def verdicts():
    """The verdicts of all cases, by name and exercise, from one run."""
    found = grade_answers([script_answer("answer.py", case.source) for case in CASES.values()])
    return dict(zip(CASES, found, strict=True))


def assert_fit_to_be_read(message):
    assert message.strip()
    assert len(message) < 2500
    assert all(sign.isprintable() or sign == "\n" for sign in message), ascii(message)
    for leak in ("Traceback", str(curriculum.ROOT / "autograder"), "suites/", "test_softmax", "/tmp/", "runner.py"):
        assert leak not in message


@pytest.mark.parametrize("name", CASES)
def test_softmax_gets_what_it_deserves_and_harms_no_other(verdicts, name):
    case, verdict = CASES[name], verdicts[name]["softmax"]
    assert verdict.outcome == case.outcome, verdict.message
    if case.outcome == "passed":
        assert verdict.points == verdict.max_points
    else:
        assert verdict.points == 0
        assert_fit_to_be_read(verdict.message)
        assert case.words in verdict.message
        assert not [test for test in verdict.tests if test.outcome in ("fault", "passed")]
    for exercise in set(EXERCISES) - {"softmax", *case.also_harmed}:
        verdict = verdicts[name][exercise]
        assert (verdict.outcome, verdict.points) == ("passed", verdict.max_points), f"{exercise}: {verdict.message}"


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc")
def test_nothing_is_left_running(verdicts):
    process.close_zygotes()
    deadline = time.monotonic() + 10  # what is killed takes a moment to go, here and in tests on the other cores
    while (left := _workers_left()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def _workers_left():
    left = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command, parent = file.read_bytes(), file.with_name("stat").read_text().rpartition(")")[2].split()[1]
        except OSError:  # it has ended meanwhile
            continue
        if str(sandbox.WORKER).encode() in command and parent in ("1", str(os.getpid())):
            left.append(f"{file.parent.name}, child of {parent}")
    return left


# What ends the whole file, or takes its time ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "outcome", "words"),
    [
        ("os._exit(0)", "killed", "exit code 0"),
        ("os.closerange(3, 64)", "killed", "answer.py could not be run"),
        ("import json\njson.dumps = lambda *a, **k: '1'", "killed", "channel that belongs to the grader"),
        ("os.write(3, b'\\xff' * 64)", "killed", "channel that belongs to the grader"),
    ],
)
def test_what_ends_the_file_costs_all_of_it(line, outcome, words):
    for verdict in grade_source(f"{HONEST}\n{line}\n").values():
        assert (verdict.outcome, verdict.points) == (outcome, 0)
        assert_fit_to_be_read(verdict.message)
        assert words in verdict.message


@pytest.mark.slow
def test_a_fork_harms_nobody_else():
    forked = script_answer("answer.py", f"{HONEST}\nos.fork()\n")
    _, honest = grade_answers([forked, script_answer("answer.py", HONEST)])
    assert {verdict.outcome for verdict in honest.values()} == {"passed"}


def test_a_forged_reply_is_a_value_and_earns_no_verdict():
    forging = f"""
def softmax(x):
{textwrap.indent(FRAME, "    ")}
    for fd in range(3, 20):
        try:
            os.write(fd, message)
        except OSError:
            pass
"""
    verdict = grade_source(f"{HONEST}\n\n# %%\n{forging}", only=["softmax"])["softmax"]
    assert verdict.outcome == "wrong"
    assert verdict.points == 0
    assert_fit_to_be_read(verdict.message)


def test_a_file_that_does_not_parse_is_told_where():
    verdicts = grade_source(HONEST.replace("return np.vdot(", "return np.vdot(("))
    for name, verdict in verdicts.items():
        assert (verdict.outcome, verdict.points) == ("raised", 0)
        assert_fit_to_be_read(verdict.message)
        assert name in verdict.message
        assert "SyntaxError" in verdict.message
        assert "answer.py, line" in verdict.message


def test_an_empty_file_is_not_attempted():
    for verdict in grade_source("").values():
        assert (verdict.outcome, verdict.points) == ("unattempted", 0)
        assert_fit_to_be_read(verdict.message)


def test_a_renamed_function_is_pointed_out():
    verdicts = grade_source(HONEST.replace("def softmax", "def soft_max").replace("_own = softmax", "_own = soft_max"))
    assert verdicts["softmax"].outcome == "wrong"
    assert "It does define soft_max: rename it to softmax." in verdicts["softmax"].message
    assert {verdict.outcome for name, verdict in verdicts.items() if name != "softmax"} == {"passed"}


def test_a_wrong_answer_loses_the_tests_it_fails_and_no_more():
    source = RIGHT.replace("return", "return [0.5] if len(x) == 1 else")
    verdict = grade_source(f"import numpy as np\n{source}", only=["softmax"])["softmax"]
    assert verdict.points == verdict.max_points - 1
    assert [test.name for test in verdict.tests if test.outcome != "passed"] == ["other_sizes"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines",
    [
        "while True: pass",
        "time.sleep(1000)",
        "import threading\nlock = threading.Lock()\n[lock.acquire() for _ in 2 * [0]]",
        "import signal\nsignal.pause()",
    ],
)
def test_a_call_that_never_ends_is_ended(monkeypatch, lines):
    monkeypatch.setattr(answer_module, "CALL_SECONDS", 1.0)
    source = f"{HONEST}\n\n# %%\ndef softmax(x):\n{textwrap.indent(lines, '    ')}\n"
    verdicts = grade_source(source)
    softmax = verdicts.pop("softmax")
    assert (softmax.outcome, softmax.points) == ("timeout", 0)
    assert softmax.relation == "Perhaps a loop never ends." and "gave no result within 1 seconds" in softmax.message
    assert_fit_to_be_read(softmax.message)
    assert {verdict.outcome for verdict in verdicts.values()} == {"passed"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n    try: pass\n    except: pass",
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass",
    ],
    ids=["catches all", "hears no alarm"],
)
def test_a_file_that_never_ends_is_ended(monkeypatch, loop):
    monkeypatch.setattr(session_module, "LOAD_SECONDS", 2.0)
    monkeypatch.setattr(session_module, "CELL_SECONDS", 1.0)
    for verdict in grade_source(f"{HONEST}\n{loop}\n").values():
        if verdict.outcome != "passed":  # the alarm may have met the loop between two of its tries
            assert (verdict.outcome, verdict.points) == ("timeout", 0)
            assert "answer.py could not be run: it gave no result within 2" in verdict.message
            assert_fit_to_be_read(verdict.message)


@pytest.mark.slow
@pytest.mark.parametrize("rest", ["while True: pass", "import time; time.sleep(100)"])
def test_a_cell_that_never_ends_is_stopped_and_named_and_all_else_counts(monkeypatch, rest):
    monkeypatch.setattr(session_module, "CELL_SECONDS", 0.5)
    softmax = HONEST.index("def softmax")
    verdicts = grade_source(f"{HONEST[:softmax]}\n# %%\n{rest}\n# %%\n{HONEST[softmax:]}\n{rest}\n")
    assert {verdict.outcome for verdict in verdicts.values()} == {"passed"}
    said = [verdict.stopped for verdict in verdicts.values() if verdict.stopped]
    line = HONEST[:softmax].count("\n") + 3
    where = "Code that stands outside of functions did not come to an end and was stopped"
    assert said == [f"{where} (answer.py, line {line}: {rest}). All that is defined counts."]
    assert said[0] in [word.text for verdict in verdicts.values() for word in words_of(verdict)]


@pytest.mark.slow
def test_an_answer_below_a_loop_of_its_cell_is_told_the_loop(monkeypatch):
    monkeypatch.setattr(session_module, "CELL_SECONDS", 0.5)
    verdict = grade_source(f"{HONEST}\n# %%\nwhile True: pass\n{RIGHT}\n", only=["softmax"])["softmax"]
    assert verdict.outcome == "passed"  # by the one that stands above it
    source = HONEST.replace("def softmax", "while True: pass\ndef softmax")
    line = source[: source.index("while True")].count("\n") + 1
    verdict = grade_source(source, only=["softmax"])["softmax"]
    assert (verdict.outcome, verdict.points) == ("timeout", 0)
    assert f"did not come to an end and was stopped (answer.py, line {line}: while True: pass)" in verdict.message


@pytest.mark.slow
def test_the_cells_of_a_file_share_what_time_there_is(monkeypatch):
    monkeypatch.setattr(session_module, "LOAD_SECONDS", 3.0)
    monkeypatch.setattr(session_module, "CELL_SECONDS", 0.8)
    loops = "# %%\nwhile True: pass\n" * 5
    verdict = grade_source(f"{loops}# %%\n{HONEST}", only=["softmax"])["softmax"]
    assert verdict.outcome == "timeout"
    assert "its cell was not run: one before it never came to an end (answer.py, line " in verdict.message


@pytest.mark.slow
def test_somebody_who_waits_hears_of_a_loop_outside_of_functions_within_six_seconds():
    chapter = read_chapter("one_query")
    answer = script_answer("answer.py", f"{HONEST}\nwhile True: pass\n")
    began = time.monotonic()
    verdicts = [verdict for _, verdict in grade([Task(answer, chapter, chapter.exercises)], SECRET, is_hasty=True)]
    assert time.monotonic() - began < 6 + 2  # to start
    assert {verdict.outcome for verdict in verdicts} == {"passed"}
    assert f"line {HONEST.count(chr(10)) + 2}: while True: pass" in verdicts[0].stopped


@pytest.mark.slow
def test_a_slow_answer_runs_out_of_time_once_for_all(monkeypatch):
    monkeypatch.setattr(answer_module, "EXERCISE_SECONDS", 1.0)
    slow = RIGHT.replace("    return", "    time.sleep(0.2)\n    return")
    verdict = grade_source(f"{HONEST}\n\n# %%\n{slow}", only=["softmax"])["softmax"]
    assert verdict.outcome == "timeout"
    assert 0 < verdict.points < verdict.max_points
    assert verdict.tests[-1].message == "Not tried: earlier calls took all the time there is."
    assert "gave no result before the 1 seconds were over that all calls have together" in verdict.message


# Where the system has no namespaces ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "outcome", "words"),
    [
        ("return np.exp(x - np.max(x)) / np.exp(x - np.max(x)).sum()", "passed", ""),
        ("os._exit(3)", "killed", "ended its own process with exit code 3"),
        ("while True: pass", "timeout", "Perhaps a loop never ends"),
        ("print('x' * 10**7)\n    return x", "wrong", "expected"),
    ],
)
def test_a_zygote_that_cannot_fork_takes_one_answer(monkeypatch, lines, outcome, words):
    monkeypatch.setattr(sandbox, "NAMESPACES", False)
    monkeypatch.setattr(answer_module, "CALL_SECONDS", 1.0)
    process.close_zygotes()
    softmax = f"def softmax(x):\n    x = np.asarray(x, dtype=float)\n    {lines}\n"
    verdicts = grade_source(f"{HONEST}\n\n# %%\n{softmax}")
    verdict = verdicts.pop("softmax")
    assert verdict.outcome == outcome, verdict.message
    assert words in verdict.message
    assert {other.outcome for other in verdicts.values()} == {"passed"}
    process.close_zygotes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_of_the_grader_leaves_its_workers_alone(no_sandbox):
    """Without a sandbox a zygote has a folder outside memory, which goes with it."""
    zygote = process.zygote_for(())
    process.new_worker(()).close()
    child = os.fork()
    if child == 0:
        try:
            os._exit(process.zygote_for(()) is zygote)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    process.new_worker(()).close()


def test_a_file_that_takes_long_is_not_run_again_and_again(monkeypatch):
    """Each call that ends the process would buy another run of the file; what it is given in all is one allowance."""
    monkeypatch.setattr(session_module, "LOADS_SECONDS", 1.0)
    names = ["normalize_by_sum", "softmax", "attend"]
    source = "import os, time\ntime.sleep(0.7)\n" + "".join(f"def {name}(*_): os._exit(1)\n" for name in names)
    started = time.monotonic()
    verdicts = grade_source(source, only=names)
    assert time.monotonic() - started < 10
    assert [verdicts[name].points for name in names] == [0, 0, 0]
    assert verdicts["attend"].outcome == "timeout"
    assert "was not run again: its calls end the process" in verdicts["attend"].message
