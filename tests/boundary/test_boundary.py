"""Files that end their process, endless loops and unwritten answers, judged in a real worker.

`tests/hostile` has calls that attack the grader.
"""

import os
import textwrap
import time

import pytest

from autograder.boundary import channel as process
from autograder.boundary import sandbox
from autograder.boundary import session as session_module
from autograder.boundary.zygote import SpawnedWorker
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.ask import call as call_module
from autograder.judging.grader import Grader
from autograder.views.words import list_parts
from support.grading import ANSWERS, SECRET, grade_source, verdict_on

HONEST = (ANSWERS / "one_query" / "products.py").read_text(encoding="utf-8").partition("import numpy as np")[2]
# `attend` does not call `softmax` here, so that a test that breaks `softmax` does not affect it.
HONEST = "import os, sys, time\nimport numpy as np\n\n" + HONEST.replace("= softmax(", "= _own(").replace(
    "def attend", "_own = softmax\n\n\ndef attend"
)
RIGHT = "def softmax(x):\n    e = np.exp(np.array(x) - np.max(x))\n    return e / e.sum()\n"


def assert_fit_to_be_read(message):
    assert message.strip()
    assert len(message) < 2500
    assert all(sign.isprintable() or sign == "\n" for sign in message), ascii(message)
    for leak in ("Traceback", str(curriculum.ROOT / "autograder"), "suites/", "test_softmax", "/tmp/", "runner.py"):
        assert leak not in message


# Code that ends its process or takes long ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "outcome", "words"),
    [
        ("os._exit(0)", "killed", "exit code 0"),
        ("os.closerange(3, 64)", "killed", "answer.py could not be run"),
        ("import json\njson.dumps = lambda *a, **k: '1'", "killed", "channel that belongs to the grader"),
        ("os.write(3, b'\\xff' * 64)", "killed", "channel that belongs to the grader"),
    ],
)
def test_an_answer_that_ends_its_worker_while_loading_gets_no_points(line, outcome, words):
    for verdict in grade_source(f"{HONEST}\n{line}\n").values():
        assert (verdict.outcome, verdict.points) == (outcome, 0)
        assert_fit_to_be_read(verdict.message)
        assert words in verdict.message


def test_a_syntax_error_is_reported_with_its_line():
    verdicts = grade_source(HONEST.replace("return np.vdot(", "return np.vdot(("))
    for name, verdict in verdicts.items():
        assert (verdict.outcome, verdict.points) == ("raised", 0)
        assert_fit_to_be_read(verdict.message)
        assert name in verdict.message
        assert "SyntaxError" in verdict.message
        assert "answer.py, line" in verdict.message


def test_a_stub_that_is_called_is_named():
    calls = RIGHT.replace("e / e.sum()", "normalize_by_sum(e)")
    stubbed = f"import numpy as np\n\ndef normalize_by_sum(x):\n    raise NotImplementedError\n\n{calls}"
    verdict = verdict_on(stubbed, "softmax")
    assert (verdict.outcome, verdict.points) == ("raised", 0)
    assert "calls normalize_by_sum, which is still to do" in verdict.message


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
    monkeypatch.setattr(call_module, "CALL_SECONDS", 1.0)
    source = f"{HONEST}\n\n# %%\ndef softmax(x):\n{textwrap.indent(lines, '    ')}\n"
    verdicts = grade_source(source)
    softmax = verdicts.pop("softmax")
    busy = f" (answer.py, line {source.count(chr(10))}: {lines})" if lines.startswith("while") else ""
    assert softmax.relation == "Perhaps a loop never ends." and (softmax.outcome, softmax.points) == ("timeout", 0)
    assert f"gave no result within 1 seconds{busy}." in softmax.message
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
        if verdict.outcome != "passed":  # Answers pass only if the alarm interrupted the loop outside its `try`.
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
    messages = [verdict.stopped for verdict in verdicts.values() if verdict.stopped]
    line = HONEST[:softmax].count("\n") + 3
    where = "Code outside of functions did not finish and was stopped"
    assert messages == [f"{where} (answer.py, line {line}: {rest}). Everything defined so far counts."]
    assert messages[0] in [word.text for verdict in verdicts.values() for word in list_parts(verdict)]


@pytest.mark.slow
def test_a_loop_is_reported_for_answers_below_it_in_the_cell(monkeypatch):
    monkeypatch.setattr(session_module, "CELL_SECONDS", 0.5)
    verdict = verdict_on(f"{HONEST}\n# %%\nwhile True: pass\n{RIGHT}\n", "softmax")
    assert verdict.outcome == "passed"  # The definition of softmax in the cell above counts.
    source = HONEST.replace("def softmax", "while True: pass\ndef softmax")
    line = source[: source.index("while True")].count("\n") + 1
    verdict = verdict_on(source, "softmax")
    assert (verdict.outcome, verdict.points) == ("timeout", 0)
    assert f"did not finish and was stopped (answer.py, line {line}: while True: pass)" in verdict.message


@pytest.mark.slow
def test_the_cells_of_a_file_share_one_time_limit(monkeypatch):
    monkeypatch.setattr(session_module, "LOAD_SECONDS", 3.0)
    monkeypatch.setattr(session_module, "CELL_SECONDS", 0.8)
    loops = "# %%\nwhile True: pass\n" * 5
    verdict = verdict_on(f"{loops}# %%\n{HONEST}", "softmax")
    assert verdict.outcome == "timeout"
    assert "its cell was not run, because an earlier call did not finish (answer.py, line " in verdict.message


def test_a_loop_outside_functions_is_stopped_sooner_in_interactive_mode(monkeypatch):
    assert session_module.INTERACTIVE_CELL_SECONDS < session_module.CELL_SECONDS
    monkeypatch.setattr(session_module, "INTERACTIVE_CELL_SECONDS", 0.5)
    monkeypatch.setattr(session_module, "CELL_SECONDS", 600.0)
    chapter = read_chapter("one_query")
    answer = parse_script("answer.py", f"{HONEST}\nwhile True: pass\n")
    task = Task(answer, chapter, chapter.exercises)
    verdicts = list(Grader.for_tasks([task], SECRET, is_interactive=True).grade(task))
    assert {verdict.outcome for verdict in verdicts} == {"passed"}
    assert f"line {HONEST.count(chr(10)) + 2}: while True: pass" in verdicts[0].stopped


@pytest.mark.slow
def test_a_slow_answer_runs_out_of_time_once_for_all(monkeypatch):
    monkeypatch.setattr(call_module, "EXERCISE_SECONDS", 1.0)
    slow = RIGHT.replace("    return", "    time.sleep(0.2)\n    return")
    verdict = verdict_on(f"{HONEST}\n\n# %%\n{slow}", "softmax")
    assert verdict.outcome == "timeout"
    assert 0 < verdict.points < verdict.max_points
    assert verdict.tests[-1].message == "Not tried: earlier calls used up the time."
    assert "had not returned when all calls together had used up their 1 seconds" in verdict.message


# Systems without namespaces --------------------------------------------------------------------------------------


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
    monkeypatch.setattr(call_module, "CALL_SECONDS", 1.0)
    process.close_zygotes()
    softmax = f"def softmax(x):\n    x = np.asarray(x, dtype=float)\n    {lines}\n"
    verdicts = grade_source(f"{HONEST}\n\n# %%\n{softmax}")
    verdict = verdicts.pop("softmax")
    assert verdict.outcome == outcome, verdict.message
    assert words in verdict.message
    assert {other.outcome for other in verdicts.values()} == {"passed"}
    process.close_zygotes()


def test_a_system_that_cannot_fork_starts_a_process_for_each_answer(no_sandbox, monkeypatch):
    monkeypatch.setattr(process, "NO_FORK", True)
    assert {verdict.outcome for verdict in grade_source(HONEST).values()} == {"passed"}
    assert type(process.get_zygote(())) is SpawnedWorker


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forking_the_grader_does_not_end_its_workers(no_sandbox):
    """Without a sandbox, a zygote has a folder on disk, which a fork of the grader must not remove."""
    zygote = process.get_zygote(())
    process.start_worker(()).close()
    child = os.fork()
    if child == 0:
        try:
            os._exit(process.get_zygote(()) is zygote)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    process.start_worker(()).close()


def test_a_file_that_takes_long_is_not_run_again_and_again(monkeypatch):
    """All runs of a file share one time limit. Otherwise, each call that ends the process would cause another run."""
    monkeypatch.setattr(session_module, "LOADS_SECONDS", 1.0)
    names = ["normalize_by_sum", "softmax", "attend"]
    source = "import os, time\ntime.sleep(0.7)\n" + "".join(f"def {name}(*_): os._exit(1)\n" for name in names)
    start = time.monotonic()
    verdicts = grade_source(source, only=names)
    assert time.monotonic() - start < 10
    assert [verdicts[name].points for name in names] == [0, 0, 0]
    assert verdicts["attend"].outcome == "timeout"
    assert "was not run again: its calls end the process" in verdicts["attend"].message
