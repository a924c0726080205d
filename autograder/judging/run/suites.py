"""Hidden suites, collected once by pytest; their tests are then called on one answer after the other.

Suites are ordinary pytest files whose tests take `answer`, `solution`, `draw` and `rng`, parametrized or not, with a
mark ``points(n, checks=[...])`` on each. Nothing of a learner is imported here; `answer` calls into a worker.
"""

import hashlib
import inspect
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from autograder.boundary.session import Asked, Refused, Session, forbidden
from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import SuiteFault
from autograder.judging.ask.answer import Answer, Reference
from autograder.judging.run.batch import Batch, Recorder
from autograder.judging.run.kit_code import solution_session
from autograder.judging.run.reask import ask_again
from autograder.judging.values.compare import Mismatch
from autograder.judging.verdict.finding import TestVerdict

# Our own suites need no plugin, no cache, no output and no rewritten asserts: they have no assert. Some of what pytest
# brings along is slow to import, and two of these collect garbage ten times over when it ends.
_PLUGINS_LEFT_OUT = ("terminal", "cacheprovider", "faulthandler", "warnings", "logging", "junitxml", "capture")
_PLUGINS_LEFT_OUT += ("debugging", "doctest", "unittest", "pastebin", "setuponly", "setupplan", "stepwise", "recwarn")
_PLUGINS_LEFT_OUT += ("monkeypatch", "tmpdir", "legacypath", "subtests", "threadexception", "unraisableexception")
_PYTEST_FLAGS = ["--assert=plain", "--import-mode=importlib", "--noconftest", "--disable-plugin-autoload"]
_PYTEST_FLAGS += [f"--rootdir={curriculum.SUITES}", "-c", str(curriculum.SUITES / "pytest.ini")]
_PYTEST_FLAGS += [f"-pno:{name}" for name in _PLUGINS_LEFT_OUT]


class Suites:
    """The suites of some exercises: a pytest plugin that keeps what pytest collects."""

    def __init__(self, files: Iterable[Path], secret: bytes) -> None:
        self.files, self.secret = set(files), secret
        self.tests: dict[str, list[pytest.Function]] = {}
        self.broken: list[str] = []
        self.batches: dict[str, Batch] = {}  # of exercises

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line(
            "markers", "points(n, checks): what the test is worth, and the sentences that it checks"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool:
        """Only the files that are wanted: named one by one, pytest would look through the folder for each."""
        return collection_path.suffix == ".py" and collection_path not in self.files

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        for item in items:
            self.tests.setdefault(item.path.stem.removeprefix("test_"), []).append(item)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        return True  # later, and without pytest's protocol: see `run`

    def of(self, exercise: str) -> list[pytest.Function]:
        return self.tests.get(exercise, [])

    def run(self, test: pytest.Function, answer: Answer, exercise: Exercise) -> TestVerdict:
        """Call one test of an exercise: pytest's own protocol would spend more time on it than the answer does."""
        verdict, calls_before = passing_verdict(test), len(answer.calls)
        solution = Reference(exercise.name, solution_session(exercise.chapter))
        answer.begin_test()
        try:
            test.obj(**self._arguments(test, answer, solution))
            if test is self.of(answer.name)[0] and not answer.missed:
                ask_again(answer, solution, answer.calls[calls_before:], self._generator(test, "again"))
            if answer.missed:
                raise answer.missed
        except Mismatch as mismatch:
            share = answer.share if mismatch is answer.missed else 0
            _note(verdict, answer.missed or mismatch, share)
        except Refused as refused:
            if answer.missed and refused.outcome == "raised":
                _note(verdict, answer.missed, 0)  # of an earlier call, which a plainer one is
            else:
                verdict.fail(refused.outcome, refused.finding, refused.call, refused.error, refused.reason)
                verdict.asked = refused.asked
        except Exception as error:
            if answer.missed:
                _note(verdict, answer.missed, 0)  # the test went on, and relies on what was missed
            else:
                finding = f"The grader failed in its own test {verdict.name} ({type(error).__name__}). "
                verdict.fail("fault", f"{finding}This says nothing about the answer; please report it.")
        return verdict

    def passes(self, exercise: Exercise, session: Session, seconds: float) -> bool:
        """Whether an answer passes every test in so many seconds."""
        if refusal_of(exercise, session):
            return False
        answer = Answer.of(exercise, session, seconds=seconds)
        return all(self.run(test, answer, exercise).outcome == "passed" for test in self.of(exercise.name))

    def batch_of(self, exercise: Exercise) -> Batch:
        name = exercise.name
        if name not in self.batches:
            recorder = Recorder(solution_session(exercise.chapter))
            answer = Answer.of(exercise, recorder, seconds=math.inf)
            for test in self.of(name):
                self.run(test, answer, exercise)
            self.batches[name] = Batch(name, recorder.tests)
        return self.batches[name]

    def _arguments(self, test: pytest.Function, answer: Answer, solution: Reference) -> dict[str, object]:
        """What the test's parameters name: the fixtures of docs/author.md and pytest's parametrized values."""
        rng = self._generator(test)
        fixtures = {"answer": answer, "solution": solution, "rng": rng, "draw": _draw_from(rng)}
        fixtures |= test.callspec.params if hasattr(test, "callspec") else {}
        return {name: fixtures[name] for name in inspect.signature(test.obj).parameters}

    def _generator(self, test: pytest.Function, purpose: str = "") -> np.random.Generator:
        """The numbers of a test: the same whenever it is run with the same secret."""
        place = test.nodeid.rpartition("/")[2] + purpose
        digest = hashlib.sha256(self.secret + place.encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _draw_from(rng: np.random.Generator) -> Callable[..., np.ndarray]:
    """Return ``draw(3, 4)``, of eighths, which float32 and its sums of products hold exactly, or any numbers."""

    def draw(*shape: int, low: int = -3, high: int = 3, exact: bool = True) -> np.ndarray:
        if not exact:
            return rng.uniform(low, high, shape)
        return rng.integers(8 * low, 8 * high, size=shape, endpoint=True) / 8

    return draw


def collect_suites(exercises: Iterable[Exercise], secret: bytes) -> Suites:
    files = [curriculum.suite_of(exercise.name) for exercise in exercises]
    if missing := [file for file in files if not file.exists()]:
        raise SuiteFault(f"{missing[0]} is missing: write the suite of the exercise (docs/author.md)")
    suites, folders = Suites(files, secret), sorted({file.parent for file in files})
    with _without_options():
        code = pytest.main([*_PYTEST_FLAGS, *map(str, folders)], plugins=[suites]) if files else pytest.ExitCode.OK
    if suites.broken or code != pytest.ExitCode.OK:
        raise SuiteFault(suites.broken[0] if suites.broken else f"pytest ended with {code!r} before any suite ran")
    return suites


def refusal_of(exercise: Exercise, session: Asked) -> Refused | None:
    """Why no test of an exercise is asked of an answer."""
    try:
        session.ready_for(exercise.name)
    except Refused as refused:
        return refused
    shortcut = session.file and session.file.shortcut(exercise)
    return forbidden(exercise.name, *shortcut) if shortcut else None


def _note(verdict: TestVerdict, mismatch: Mismatch, share: float) -> None:
    verdict.fail("wrong", f"{mismatch.sentence}.", str(mismatch.call), reason=mismatch.reason)
    verdict.mismatch, mismatch.__traceback__, mismatch.__context__ = mismatch, None, None  # no frames to keep
    verdict.asked, verdict.points = mismatch.call, share * verdict.max_points


def passing_verdict(test: pytest.Function) -> TestVerdict:
    mark = test.get_closest_marker("points")
    if mark is None:
        raise SuiteFault(f"{test.nodeid} has no points mark")
    return TestVerdict(test.name.removeprefix("test_"), "passed", mark.args[0], mark.args[0])


@contextmanager
def _without_options() -> Iterator[None]:
    """Leave out what is set for pytest in the environment (``PYTEST_ADDOPTS=-v``): it is meant for other tests."""
    options = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    try:
        yield
    finally:
        os.environ.update(options)
