"""The pytest plugin that runs hidden suites on answers: suites are collected once, answers come and go.

Suites are ordinary pytest files whose tests take `answer`, `solution`, `draw` and `rng`, parametrized or not, with a
mark ``points(n)`` on each. Nothing of a learner is imported here; `answer` calls into a worker.
"""

import hashlib
import inspect
import math
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import curriculum
from autograder.answer import Answer, Reference
from autograder.chapter import read_chapter
from autograder.diagnosis import diagnose
from autograder.errors import SuiteFault
from autograder.expect import Mismatch
from autograder.reference import solution_session
from autograder.script import Played, Recorder, Script
from autograder.session import Refused, Session
from autograder.shortcuts import find_shortcut
from autograder.show import clean
from autograder.verdict import ExerciseVerdict, TestVerdict

# Our own suites need no plugin, no cache, no output and no rewritten asserts: they have no assert. Some of what pytest
# brings along is slow to import, and two of these collect garbage ten times over when it ends.
_LEFT_OUT = ("terminal", "cacheprovider", "faulthandler", "warnings", "logging", "junitxml", "capture", "debugging")
_LEFT_OUT += ("doctest", "unittest", "pastebin", "setuponly", "setupplan", "stepwise", "recwarn", "monkeypatch")
_LEFT_OUT += ("tmpdir", "legacypath", "subtests", "threadexception", "unraisableexception")
_FLAGS = [
    "--assert=plain",
    "--import-mode=importlib",
    "--noconftest",
    "--disable-plugin-autoload",
    f"--rootdir={curriculum.SUITES}",
    "-c",
    str(curriculum.SUITES / "pytest.ini"),
]
_FLAGS += [f"-pno:{name}" for name in _LEFT_OUT]
_NO_PARAMETERS = SimpleNamespace(params={})

KNOWN = 1000  # verdicts and passed tests that are remembered
TOLD = 400  # characters of why another cell failed


class Suites:
    """The suites of some exercises, ready to judge answers: a pytest plugin that keeps what pytest collects."""

    def __init__(self, files, secret):
        self.files, self.secret = set(files), secret
        self.tests, self.broken = {}, []
        self.scripts, self.known = {}, {}

    # Hooks -----------------------------------------------------------------------------------------------------

    def pytest_configure(self, config):
        config.addinivalue_line("markers", "points(n): what the test is worth")

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path):
        """Only the files that are wanted: named one by one, pytest would look through the folder for each."""
        return collection_path.suffix == ".py" and collection_path not in self.files

    def pytest_collectreport(self, report):
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")

    def pytest_collection_modifyitems(self, items):
        for item in items:
            self.tests.setdefault(item.path.stem.removeprefix("test_"), []).append(item)

    def pytest_runtestloop(self, session):
        return True  # later, and without pytest's protocol: see `judge`

    # Judging ---------------------------------------------------------------------------------------------------

    def judge(self, exercise, session):
        """The verdict of one exercise's suite on one answer.

        Parameters
        ----------
        exercise : autograder.chapter.Exercise
        session : autograder.session.Session or None
            None for an answer that is still the stub.
        """
        started = time.perf_counter()
        verdict = ExerciseVerdict(exercise.chapter, exercise.name, [])
        tests = self.tests.get(exercise.name, [])
        refusal = self._refusal(exercise, session)
        if refusal:
            verdict.tests = [TestVerdict(*_label(test)) for test in tests]
            for test in verdict.tests:
                test.fail(refusal.outcome, refusal.finding, refusal.call)
        else:
            self._judge_attempt(verdict, exercise, session)
            _explain_missing_names(verdict, session)
        verdict.printed = session.take_printed() if session is not None else ""
        verdict.seconds = time.perf_counter() - started
        return verdict

    def _judge_attempt(self, verdict, exercise, session):
        """Ask the answer, in one message where the script of the exercise is known, and run the suite on its replies.

        A verdict holds nothing but what the replies decide, so that the same replies get the same verdict.
        """
        is_played = isinstance(session, Session) and exercise.seconds is None  # what takes long is asked step by step
        script = self._script_of(exercise) if is_played else None
        replies = session.play(script) if script else None
        if replies and replies.whole in self.known:
            verdict.take_over(self.known[replies.whole])
        elif replies and all(test in self.known for test in replies.tests):
            verdict.tests = [TestVerdict(*_label(test)) for test in self.tests.get(exercise.name, [])]
        else:
            values = replies.decode() if replies else None
            if replies and not values:
                session.start_afresh()
            self._run_suite(verdict, exercise, Played(session, replies, values) if values else session)

    def _run_suite(self, verdict, exercise, session):
        """Run every test that is not known to pass on such replies, and name the mistake where one fails."""
        name, tests, calls = exercise.name, self.tests.get(exercise.name, []), {}
        replies = session.replies if isinstance(session, Played) else None
        names = [other.name for other in read_chapter(exercise.chapter).exercises]
        answer = Answer(name, session, names, exercise.seconds)
        reference, all_played = solution_session(exercise.chapter), replies is not None

        def run(number):
            answer.calls = calls[number] = []
            if replies:
                session.test = number
            return self._run(tests[number], answer, Reference(name, reference))

        for number, test in enumerate(tests):
            if replies and replies.tests[number] in self.known:
                verdict.tests.append(TestVerdict(*_label(test)))
                continue
            verdict.tests.append(run(number))
            if replies and session.left:
                all_played = False
            elif replies and verdict.tests[-1].outcome == "passed":
                self._remember(replies.tests[number], True)
        if verdict.outcome in ("wrong", "raised"):
            for number in range(len(tests)):
                if number not in calls:  # the diagnosis looks at all of them
                    run(number)
            made = [call for number in range(len(tests)) for call in calls[number]]
            verdict.misconception, verdict.lesson, verdict.hint = diagnose(name, made, reference)
        if all_played and verdict.outcome != "fault":
            self._remember(replies.whole, replace(verdict))  # what is said of this answer alone comes later

    def _remember(self, replies, judged):
        self.known[replies] = judged
        if len(self.known) > KNOWN:
            del self.known[next(iter(self.known))]

    def _script_of(self, exercise):
        """What the suite asks, from the second time on that it is asked for: one check of one answer needs none."""
        name = exercise.name
        if name not in self.scripts:
            self.scripts[name] = None
        elif self.scripts[name] is None:
            reference = solution_session(exercise.chapter)
            recorder = Recorder(solution_session(exercise.chapter))
            answer = Answer(name, recorder, seconds=math.inf)
            for test in self.tests.get(name, []):
                self._run(test, answer, Reference(name, reference))
            self.scripts[name] = Script(name, recorder.tests)
        return self.scripts[name]

    def _refusal(self, exercise, session):
        if session is None:
            return Refused("unattempted", f"{exercise.name} is still to do.")
        try:
            session.ready_for(exercise.name)
        except Refused as refused:
            return refused
        shortcut = session.file and find_shortcut(session.file, exercise)
        if shortcut:
            finding = f"{exercise.name} uses {clean(shortcut.name[:80])} ({shortcut.place}), "
            finding += "which this exercise does not allow: "
            return Refused("forbidden", f"{finding}it is what you are asked to write.")
        return None

    def _run(self, test, answer, solution):
        """Call one test. pytest's own protocol would spend more time on it than the answer does."""
        verdict = TestVerdict(*_label(test))
        answer.begin_test()
        try:
            test.obj(**self._arguments(test, answer, solution))
        except Mismatch as mismatch:
            verdict.fail("wrong", f"{mismatch.sentence}.", str(mismatch.call))
            verdict.mismatch, mismatch.__traceback__, mismatch.__context__ = mismatch, None, None  # no frames to keep
        except Refused as refused:
            verdict.fail(refused.outcome, refused.finding, refused.call)
        except Exception as error:
            finding = f"The grader failed in its own test {verdict.name} ({type(error).__name__}). "
            verdict.fail("fault", f"{finding}This says nothing about the answer; please report it.")
        return verdict

    def _arguments(self, test, answer, solution):
        """What the test's parameters name: the fixtures of docs/author.md and pytest's parametrized values."""
        digest = hashlib.sha256(self.secret + test.nodeid.rpartition("/")[2].encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:16], "big"))
        known = {"answer": answer, "solution": solution, "rng": rng, "draw": _drawing(rng)}
        known |= getattr(test, "callspec", _NO_PARAMETERS).params
        return {name: known[name] for name in inspect.signature(test.obj).parameters}


def _drawing(rng):
    """A function that draws hidden inputs: ``draw(3, 4)`` is a 3 by 4 array of eighths between -3 and 3.

    Eighths are exact in float32 and so are their sums of products, so that an answer in float32 loses nothing.
    """

    def draw(*shape, low=-3, high=3):
        return rng.integers(8 * low, 8 * high, size=shape, endpoint=True) / 8

    return draw


def collect_suites(exercises, secret):
    """The suites of some exercises, to judge any number of answers with.

    Parameters
    ----------
    exercises : iterable of autograder.chapter.Exercise
    secret : bytes
        What the hidden inputs are drawn from.

    Raises
    ------
    SuiteFault
        Where a suite is missing or cannot be collected.
    """
    files = [curriculum.SUITES / f"test_{exercise.name}.py" for exercise in exercises]
    if missing := [file for file in files if not file.exists()]:
        raise SuiteFault(f"{missing[0]} is missing: write the suite of the exercise (docs/author.md)")
    suites = Suites(files, secret)
    code = pytest.main([*_FLAGS, str(curriculum.SUITES)], plugins=[suites]) if files else pytest.ExitCode.OK
    if suites.broken or code != pytest.ExitCode.OK:
        raise SuiteFault(suites.broken[0] if suites.broken else f"pytest ended with {code!r} before any suite ran")
    return suites


def _explain_missing_names(verdict, session):
    """Say which cell failed where a name is missing that it may have been to define: an import, most of the time."""
    if isinstance(session, Session) and (told := session.failed_cell()):
        verdict.tests = [
            replace(test, finding=f"{test.finding} {told[:TOLD]}") if "raised NameError" in test.finding else test
            for test in verdict.tests
        ]


def _label(test):
    """Name, hoped-for outcome, points and possible points of a test."""
    mark = test.get_closest_marker("points")
    if mark is None:
        raise SuiteFault(f"{test.nodeid} has no points mark")
    return test.name.removeprefix("test_"), "passed", mark.args[0], mark.args[0]
