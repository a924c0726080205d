"""The pytest plugin that runs hidden suites on answers: suites are collected once, answers come and go.

Suites are ordinary pytest files with the fixtures `answer`, `solution`, `draw` and `rng`, and a mark ``points(n)``
on every test. Nothing of a learner is imported here; `answer` calls into a worker.
"""

import hashlib
import time

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

from autograder import curriculum
from autograder.answer import Answer, Reference
from autograder.chapter import read_chapter
from autograder.diagnosis import diagnose
from autograder.errors import SuiteFault
from autograder.expect import Mismatch
from autograder.reference import solution_session
from autograder.session import Refused
from autograder.shortcuts import find_shortcut
from autograder.verdict import ExerciseVerdict, TestVerdict

# Our own suites need no plugin, no cache, no output and no rewritten asserts: they have no assert.
_SILENT = ("terminal", "cacheprovider", "faulthandler", "warnings", "logging", "junitxml", "capture")
_FLAGS = [
    "--assert=plain",
    "--import-mode=importlib",
    "--noconftest",
    "--disable-plugin-autoload",
    f"--rootdir={curriculum.SUITES}",
    "-c",
    str(curriculum.SUITES / "pytest.ini"),
]
_FLAGS += [f"-pno:{name}" for name in _SILENT]


class Suites:
    """The suites of some exercises, ready to judge answers. Use as a pytest plugin through `run_suites`."""

    def __init__(self, exercises, secret, work):
        self.exercises, self.secret, self.work = exercises, secret, work
        self.tests, self.broken, self.error = {}, [], None
        self.answer = self.solution = None

    # Fixtures --------------------------------------------------------------------------------------------------

    @pytest.fixture(name="answer")
    def _answer(self):
        """The learner's function, running in its worker."""
        return self.answer

    @pytest.fixture(name="solution")
    def _solution(self):
        """The reference, as a plain function."""
        return self.solution

    @pytest.fixture(name="rng")
    def _rng(self, request):
        """A generator that depends on the course secret and on the test, and on nothing else."""
        digest = hashlib.sha256(self.secret + request.node.nodeid.rpartition("/")[2].encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:16], "big"))

    @pytest.fixture(name="draw")
    def _draw(self, rng):
        """Draws hidden inputs: ``draw(3, 4)`` is a 3 by 4 array of eighths between -3 and 3.

        Eighths are exact in float32 and so are their sums of products, so that an answer in float32 loses nothing.
        """

        def draw(*shape, low=-3, high=3):
            return rng.integers(8 * low, 8 * high, size=shape, endpoint=True) / 8

        return draw

    # Hooks -----------------------------------------------------------------------------------------------------

    def pytest_configure(self, config):
        config.addinivalue_line("markers", "points(n): what the test is worth")

    def pytest_collectreport(self, report):
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")

    def pytest_collection_modifyitems(self, items):
        for item in items:
            self.tests.setdefault(item.path.stem.removeprefix("test_"), []).append(item)

    def pytest_runtestloop(self, session):
        self.work(self)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        if call.excinfo is not None:
            self.error = self.error or call.excinfo.value
        # A report of our own: pytest's would spend 50 ms on a traceback that nobody sees.
        outcome = "failed" if call.excinfo else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)

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
            names = [other.name for other in read_chapter(exercise.chapter).exercises]
            reference = solution_session(exercise.chapter)
            self.answer = Answer(exercise.name, session, names)
            self.solution = Reference(exercise.name, reference)
            verdict.tests = [
                self._run(test, following) for test, following in zip(tests, [*tests[1:], None], strict=True)
            ]
            if verdict.outcome in ("wrong", "raised"):
                verdict.misconception, verdict.lesson, verdict.hint = diagnose(
                    exercise.name, self.answer.calls, reference
                )
        verdict.seconds = time.perf_counter() - started
        return verdict

    def _refusal(self, exercise, session):
        if session is None:
            return Refused("unattempted", f"{exercise.name} is still to do.")
        try:
            session.ready_for(exercise.name)
        except Refused as refused:
            return refused
        shortcut = session.file and find_shortcut(session.file, exercise)
        if shortcut:
            finding = f"{exercise.name} uses {shortcut.name} ({shortcut.place}), which this exercise does not allow: "
            return Refused("forbidden", f"{finding}it is what you are asked to write.")
        return None

    def _run(self, test, following):
        self.error = None
        runtestprotocol(test, log=False, nextitem=following)
        verdict, error = TestVerdict(*_label(test)), self.error
        if error is None:
            return verdict
        if isinstance(error, Mismatch):
            verdict.fail("wrong", f"{error.sentence}.", str(error.call))
            verdict.mismatch = error
        elif isinstance(error, Refused):
            verdict.fail(error.outcome, error.finding, error.call)
        elif isinstance(error, KeyboardInterrupt):
            raise error
        else:
            finding = f"The grader failed in its own test {verdict.name} ({type(error).__name__}). "
            verdict.fail("fault", f"{finding}This says nothing about the answer; please report it.")
        return verdict


def run_suites(exercises, secret, work):
    """Collect the suites of some exercises and do the work with them.

    Parameters
    ----------
    exercises : list of autograder.chapter.Exercise
    secret : bytes
        What the hidden inputs are drawn from.
    work : callable
        Called once with the `Suites`.

    Raises
    ------
    SuiteFault
        Where a suite is missing or cannot be collected.
    """
    files = [curriculum.SUITES / f"test_{exercise.name}.py" for exercise in exercises]
    if missing := [file for file in files if not file.exists()]:
        raise SuiteFault(f"{missing[0]} is missing: write the suite of the exercise (docs/author.md)")
    problem = []

    def guarded(suites):
        try:
            if suites.broken:
                raise SuiteFault(suites.broken[0])
            work(suites)
        except BaseException as error:  # out of pytest, which would print it
            problem.append(error)

    suites = Suites(exercises, secret, guarded)
    code = pytest.main([*_FLAGS, *map(str, files)], plugins=[suites])
    if problem:
        raise problem[0]
    if suites.broken or code != pytest.ExitCode.OK:
        raise SuiteFault(suites.broken[0] if suites.broken else f"pytest ended with {code!r} before any suite ran")


def _label(test):
    """Name, hoped-for outcome, points and possible points of a test."""
    mark = test.get_closest_marker("points")
    if mark is None:
        raise SuiteFault(f"{test.nodeid} has no points mark")
    return test.name.removeprefix("test_"), "passed", mark.args[0], mark.args[0]
