"""Faults while many answers are graded: every answer gets one line, and no process is left.

A run is killed eight times, or fifty times with ATTN_KILLS=50.
"""

import contextlib
import functools
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import BrokenExecutor
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from autograder.boundary import sandbox
from autograder.boundary import session as session_module
from autograder.chapters.curriculum import ROOT
from autograder.chapters.errors import BrokenKitError
from autograder.grading import executors, many
from autograder.grading.executors import MAX_FAILURES_IN_A_ROW, grade_pieces
from autograder.grading.many import GradingSettings, grade_answers
from support.missing import require

KILLS = int(os.environ.get("ATTN_KILLS", "8"))
SLOWLY = "import time\ntime.sleep(0.3)"

SCORE = "def single_dot_attention_score(a, b):\n    return float(sum(x * y for x, y in zip(a, b))){}\n"
SCALE = "def scale(x):\n    return x\n"

pytestmark = [pytest.mark.skipif(not Path("/proc").exists(), reason="looks at /proc"), pytest.mark.slow]


class AnswerFolder:
    """A folder of answers to one_query and what was printed about them."""

    def __init__(self, folder):
        self.folder, self.record = folder, folder / "record.jsonl"
        self.names, self.temporary = [], folder / "temporary"
        self.temporary.mkdir()

    def hand_in(self, count, lines=""):
        """Write answers, of which every third is wrong and each begins with `lines`."""
        for number in range(count):
            name = f"answer{number:02}.py"
            score = SCORE.format(" + 1" if number % 3 == 0 else f" + 0 * {number}")
            (self.folder / name).write_text(f"{lines}\n{score}\n{SCALE * (number % 2)}")
            self.names.append(name)

    def environment(self):
        """Return environment variables for a process. Its children inherit PATH, where the folder identifies them."""
        marked = f"{os.environ['PATH']}:{self.folder}"
        return os.environ | {"PATH": marked, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary)}

    def start(self, command="grade", *options, **how):
        if "--no-sandbox" not in options:
            require("bubblewrap")
        words = [sys.executable, "-m", "autograder.cli.main", command, *self.names, "--chapter", "one_query"]
        environment = self.environment() | how.pop("env", {})
        words += options
        how = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True, "env": environment} | how
        with self.record.open("wb") as output:
            return subprocess.Popen(words, cwd=self.folder, stdout=output, **how)

    def run(self, command="grade", *options, **how):
        process = self.start(command, *options, **how)
        _, errors = process.communicate(timeout=300)
        return process.returncode, errors

    def lines(self):
        return [drop_seconds(line) for line in self.raw_lines()]

    def raw_lines(self):
        results = []
        for text in self.record.read_bytes().splitlines() if self.record.exists() else ():
            try:
                results.append(json.loads(text))
            except ValueError:
                continue
        return results

    def has_grown_to(self, count, process):
        """Wait until `count` lines are printed or the run ends. Return whether it is still running."""
        while process.poll() is None:
            if self.record.exists() and self.record.read_bytes().count(b"\n") >= count:
                return True
            time.sleep(0.005)
        return False

    def processes(self):
        results, mark = {}, f":{self.folder}".encode()
        for file in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in file.read_bytes():
                    results[int(file.parent.name)] = file.with_name("cmdline").read_bytes().decode().split("\0")
            except OSError:  # The process has ended.
                continue
        return {number: words for number, words in results.items() if words != [""]}  # A zombie has no command line.

    def assert_nothing_is_left(self):
        """Assert that no process and no temporary file is left."""
        deadline = time.monotonic() + 30
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left
        assert not list(self.temporary.iterdir())


@functools.cache
def _lines_of(answers):
    with tempfile.TemporaryDirectory() as folder:
        course = AnswerFolder(Path(folder))
        for name, text in answers:
            (course.folder / name).write_text(text)
            course.names.append(name)
        assert course.run("grade", "--jobs", "2") == (1, "")
        assert len(set(course.lines())) == len(course.names)
        return tuple(course.lines())


def run_undisturbed(course):
    return _lines_of(tuple((name, (course.folder / name).read_text()) for name in course.names))


def drop_seconds(line):
    exercises = [{key: value for key, value in e.items() if key != "seconds"} for e in line["exercises"]]
    return json.dumps(line | {"exercises": exercises}, sort_keys=True)


@pytest.fixture
def course(tmp_path):
    course = AnswerFolder(tmp_path)
    course.hand_in(12)
    yield course
    course.assert_nothing_is_left()


@pytest.fixture
def slow_course(tmp_path):
    course = AnswerFolder(tmp_path)
    course.hand_in(8, SLOWLY)
    yield course
    course.assert_nothing_is_left()


# Killing the run -------------------------------------------------------------------------------------------------


def test_a_killed_run_has_printed_whole_lines_and_leaves_nothing(course):
    chance, expected = random.Random(7), run_undisturbed(course)
    start = time.monotonic()
    assert course.run("grade", "--jobs", "2")[0] == 1
    seconds = time.monotonic() - start
    for number in range(KILLS):
        run = course.start("grade", "--jobs", chance.choice("12"), stderr=subprocess.DEVNULL)
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0, seconds / 2))  # The run is often still starting at that moment.
        elif course.has_grown_to(chance.randint(1, 3), run):
            time.sleep(chance.uniform(0, 0.02))
        if run.poll() is None:
            os.kill(run.pid if number % 2 else -run.pid, signal.SIGKILL)  # Kill it alone or with its group.
        run.wait()
        assert set(course.lines()) <= set(expected)
        assert len(course.lines()) == len(course.record.read_bytes().splitlines())  # No line is incomplete.
        course.assert_nothing_is_left()


def test_control_c_ends_quietly(slow_course):
    run = slow_course.start("grade", "--jobs", "2")
    assert slow_course.has_grown_to(1, run)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (130, "")
    assert len(set(slow_course.lines())) == len(slow_course.lines()) < len(slow_course.names)


def test_kills_without_a_sandbox_leave_nothing(tmp_path):
    course = AnswerFolder(tmp_path)
    course.hand_in(4, "import time\nif __name__ != '__main__': time.sleep(2)")
    bare = {"env": {"PATH": f"/nonexistent:{course.folder}"}}
    for number in (1, -1):
        run = course.start("grade", "--jobs", "2", "--no-sandbox", **bare)
        workers = 0
        while workers < 3 and run.poll() is None:  # Wait for two zygotes and a worker.
            workers = [str(sandbox.WORKER) in words for words in course.processes().values()].count(True)
        assert list(course.temporary.glob("answers-*"))
        os.kill(number * run.pid, signal.SIGKILL)
        run.communicate(timeout=60)
        course.assert_nothing_is_left()


# Kills of what the run started ------------------------------------------------------------------------------------


def test_a_lost_process_of_the_pool_costs_no_answer(slow_course):
    expected = run_undisturbed(slow_course)
    run = slow_course.start("grade", "--jobs", "2")
    for count in (1, 3, 5):
        assert slow_course.has_grown_to(count, run)
        pool = []
        while not pool and run.poll() is None:  # The pool may be starting again.
            pool = [number for number, words in slow_course.processes().items() if "--multiprocessing-fork" in words]
        os.kill(pool[0], signal.SIGKILL)
    assert run.communicate(timeout=60)[1] == ""
    assert run.returncode == 1
    assert sorted(slow_course.lines()) == sorted(expected)


def grade_here(course):
    paths, lines = [Path(name) for name in course.names], []
    settings = GradingSettings(b"self-study", lambda: executors.make_executor(1), Console(file=StringIO()))
    grade_answers(paths, "one_query", settings, lambda line: lines.append(drop_seconds(line)))
    return lines


def before_request(monkeypatch, number, do, name="_ask_worker"):
    count, ask = [0], getattr(session_module.Session, name)

    def counting(self, *arguments):
        count[0] += 1
        if count[0] == number:
            do(self)
        return ask(self, *arguments)

    monkeypatch.setattr(session_module.Session, name, counting)


@pytest.mark.parametrize("number", [1, 2, 3, 20, 41])
def test_a_killed_zygote_costs_no_answer(tmp_path, monkeypatch, number):
    course = AnswerFolder(tmp_path)
    course.hand_in(4)
    monkeypatch.chdir(tmp_path)
    expected = grade_here(course)
    before_request(monkeypatch, number, lambda session: session.worker.zygote.process.kill())
    assert sorted(grade_here(course)) == sorted(expected)


def kill_worker(session):
    for file in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):  # The process may have ended.
            # NSpid lists the ids of the process, from our namespace to its own, in which it is process 1.
            numbers = re.search(r"^NSpid:(.*)$", file.read_text(), re.MULTILINE)[1].split()
            if numbers[-2:] == [str(session.worker.child), "1"]:
                os.kill(int(numbers[0]), signal.SIGKILL)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_killed_worker_costs_no_answer(tmp_path, monkeypatch, number):
    """A kill looks like an answer that ends its own process: only the current test is lost."""
    course = AnswerFolder(tmp_path)
    course.hand_in(4)
    monkeypatch.chdir(tmp_path)
    expected = grade_here(course)
    monkeypatch.setattr(session_module.Session, "play_batch", lambda self, batch: None)  # Play tests step by step.
    before_request(monkeypatch, number, kill_worker)
    lines = grade_here(course)
    assert [json.loads(line)["answer"] for line in lines] == course.names
    (harmed,) = [json.loads(line) for line in lines if line not in expected]
    tests = [test for exercise in harmed["exercises"] for test in exercise["tests"]]
    killed = [test for test in tests if test["outcome"] == "killed"]
    assert killed
    assert not any(test["points"] for test in killed)
    assert killed[0]["message"].endswith("closed the channel that belongs to the grader.")
    if number > 1:  # Request 1 loads the file: all tests are lost without it.
        assert len(killed) == 1


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("kill", [kill_worker, lambda session: session.worker.zygote.process.kill()])
def test_a_batch_is_judged_again_after_its_worker_was_killed(tmp_path, monkeypatch, number, kill):
    course = AnswerFolder(tmp_path)
    course.hand_in(3)
    monkeypatch.chdir(tmp_path)
    expected = grade_here(course)
    killed = []
    before_request(monkeypatch, number, lambda session: killed.append(kill(session)), "play_batch")
    assert sorted(grade_here(course)) == sorted(expected)
    assert killed


# Executors and answers that fail -----------------------------------------------------------------------------------


class BreakingExecutor(executors.InlineExecutor):
    """An executor that breaks each time that it grades one of the named answers."""

    def __init__(self, names=()):
        self.names = names

    def submit(self, function, piece):
        if piece.path in self.names:
            raise BrokenExecutor("a process ended")
        return super().submit(function, piece)


def map_names(names, make_executor, grade=lambda piece: line_of(piece.path)):
    """Return the names in the order in which `grade_pieces` finishes, and its error message or name -> failure."""
    finished = []
    pieces = (many.FileToGrade(name, "one_query") for name in names)
    try:
        failed = grade_pieces(pieces, grade, make_executor, lambda line: finished.append(line["answer"]))
    except BrokenKitError as fault:
        return finished, str(fault)
    return finished, {piece.path: str(failure) for piece, failure in failed}


def line_of(name, outcome="passed"):
    return {"answer": name, "exercises": [{"outcome": outcome}]}


def test_an_executor_that_breaks_is_replaced():
    made = iter([BreakingExecutor("b"), BreakingExecutor("b"), BreakingExecutor()])
    assert map_names("abc", lambda: next(made)) == (["a", "c", "b"], {})


def test_an_executor_that_always_breaks_ends_the_run_when_all_others_are_done():
    finished, message = map_names("abcdefgh", lambda: BreakingExecutor("be"))
    assert finished == list("acdfgh")
    assert message == "nothing can be graded: BrokenExecutor: a process ended. What is done is kept"


def test_an_answer_that_cannot_be_graded_does_not_stop_the_others():
    tried = []

    def grade(piece):
        tried.append(piece.path)
        if piece.path in "bd":
            raise ValueError("no such thing")
        return line_of(piece.path)

    finished, message = map_names("abcdef", executors.InlineExecutor, grade)
    assert finished == list("acef")
    assert sorted(tried) == list("abbcddef")
    assert message == {"b": "no such thing", "d": "no such thing"}


def test_a_fault_of_the_kit_ends_the_run_at_once():
    tried = []

    def grade(piece):
        tried.append(piece.path)
        raise BrokenKitError("the suite is broken")

    names = [f"{number}.py" for number in range(1000)]
    finished, message = map_names(names, executors.InlineExecutor, grade)
    assert not finished
    assert len(tried) <= 2 * MAX_FAILURES_IN_A_ROW
    assert message == "nothing can be graded: the suite is broken. What is done is kept"


def test_a_fault_is_tried_once_more():
    outcomes = {"a": iter(["fault", "passed"]), "b": iter(["fault", "fault"]), "c": iter(["passed"])}
    finished = []
    pieces = (many.FileToGrade(name, "one_query") for name in "abc")
    grade_pieces(
        pieces, lambda piece: line_of(piece.path, next(outcomes[piece.path])), executors.InlineExecutor, finished.append
    )
    assert finished == [line_of("c"), line_of("a"), line_of("b", "fault")]


# A full disk -------------------------------------------------------------------------------------------------------


def test_a_full_disk_ends_the_run_with_whole_lines(course):
    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, 15_000))

    code, errors = course.run("grade", "--jobs", "2", preexec_fn=little_room)
    assert code == 2
    assert errors == "the output cannot be written: file too large. Free some space and run this again\n"
    assert 1 <= len(course.lines()) < len(course.names)
