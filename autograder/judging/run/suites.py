"""Hidden suites: pytest collects them once, and their tests are then called for each answer.

Suites are ordinary pytest files with the fixtures `answer`, `solution`, `draw` and `rng`, and a mark
``points(n, checks=[...])`` on each test. No code of a learner is imported here: `answer` calls a worker.

After the first test of a suite, its first call is repeated with different numbers of the same shapes: first with many
digits, then with small ones. This reveals half precision, rounding, an added epsilon, results that are cached by shape,
and results that are read from a global of the notebook.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.boundary.session import AnswerRefused, AnswerSession, Session, refuse_shortcut
from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import SuiteError
from autograder.judging.ask.answer import Answer, Solution, to_double_precision
from autograder.judging.ask.call import Call
from autograder.judging.run.batch import Batch, RecordingSession
from autograder.judging.run.kit_code import open_solution_session
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.same import find_arrays, map_scalars
from autograder.judging.verdict.finding import TestVerdict
from autograder.worker.values import Tensor

# Tests are called directly and contain no `assert`, so pytest's plugins, cache, output and assertion rewriting are not
# needed. Some plugins are slow to import, and two of them run the garbage collector ten times when they end.
_PLUGINS_LEFT_OUT = ("terminal", "cacheprovider", "faulthandler", "warnings", "logging", "junitxml", "capture")
_PLUGINS_LEFT_OUT += ("debugging", "doctest", "unittest", "pastebin", "setuponly", "setupplan", "stepwise", "recwarn")
_PLUGINS_LEFT_OUT += ("monkeypatch", "tmpdir", "legacypath", "subtests", "threadexception", "unraisableexception")
_PYTEST_FLAGS = ["--assert=plain", "--import-mode=importlib", "--noconftest", "--disable-plugin-autoload"]
_PYTEST_FLAGS += [f"--rootdir={curriculum.SUITES}", "-c", str(curriculum.SUITES / "collect.ini")]
_PYTEST_FLAGS += [f"-pno:{name}" for name in _PLUGINS_LEFT_OUT]


class Suites:
    """The suites of some exercises, as a pytest plugin that keeps the collected tests."""

    def __init__(self, files: Iterable[Path], secret: bytes) -> None:
        self.files, self.secret = set(files), secret
        self.tests: dict[str, list[pytest.Function]] = {}
        self.broken: list[str] = []
        self.batches: dict[str, Batch] = {}  # exercise -> requests of its suite

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool:
        """Return whether a path is a Python file but not a suite. Passing the suites one by one takes pytest longer."""
        return collection_path.suffix == ".py" and collection_path not in self.files

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        for item in items:
            self.tests.setdefault(item.path.stem.removeprefix("test_"), []).append(item)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        return True  # Prevents pytest from running the tests: `run_test` calls them later.

    def get_tests(self, exercise: str) -> list[pytest.Function]:
        return self.tests.get(exercise, [])

    def run_test(self, test: pytest.Function, answer: Answer, exercise: Exercise) -> TestVerdict:
        """Call a test directly, because pytest's protocol is slower than most answers, and return its verdict."""
        verdict, calls_before = make_passing_verdict(test), len(answer.calls)
        solution = Solution(exercise.name, open_solution_session(exercise.chapter))
        answer.begin_test()
        try:
            test.obj(**self._make_fixtures(test, answer, solution))
            if test is self.get_tests(answer.name)[0] and not answer.first_mismatch:
                repeat_first_call(answer, solution, answer.calls[calls_before:], self._make_generator(test, "again"))
            if answer.first_mismatch:
                raise answer.first_mismatch
        except Mismatch as mismatch:
            share = answer.share if mismatch is answer.first_mismatch else 0
            _record_mismatch(verdict, answer.first_mismatch or mismatch, share)
        except AnswerRefused as refusal:
            if answer.first_mismatch and refusal.outcome == "raised":
                # Report the earlier wrong result, because it is easier to understand than this error.
                _record_mismatch(verdict, answer.first_mismatch, 0)
            else:
                verdict.fail(refusal.outcome, refusal.finding, refusal.call, refusal.error, refusal.reason)
                verdict.shown_call = refusal.shown_call
        except Exception as error:
            if answer.first_mismatch:
                # The test continued after a wrong result, which may have caused this error.
                _record_mismatch(verdict, answer.first_mismatch, 0)
            else:
                finding = f"The grader failed in its own test {verdict.name} ({type(error).__name__}). "
                verdict.fail("fault", f"{finding}This says nothing about the answer; please report it.")
        return verdict

    def passes(self, exercise: Exercise, session: Session, seconds: float) -> bool:
        """Return whether an answer passes every test within this time."""
        if find_refusal(exercise, session):
            return False
        answer = Answer.for_exercise(exercise, session, seconds=seconds)
        return all(self.run_test(test, answer, exercise).outcome == "passed" for test in self.get_tests(exercise.name))

    def get_batch(self, exercise: Exercise) -> Batch:
        name = exercise.name
        if name not in self.batches:
            recorder = RecordingSession(open_solution_session(exercise.chapter))
            answer = Answer.for_exercise(exercise, recorder, seconds=math.inf)
            for test in self.get_tests(name):
                self.run_test(test, answer, exercise)
            self.batches[name] = Batch(name, recorder.tests)
        return self.batches[name]

    def _make_fixtures(self, test: pytest.Function, answer: Answer, solution: Solution) -> dict[str, object]:
        """Return name -> value of the test's parameters: fixtures (docs/author.md) and parametrized values."""
        rng = self._make_generator(test)
        fixtures = {"answer": answer, "solution": solution, "rng": rng, "draw": _make_draw(rng)}
        fixtures |= test.callspec.params if hasattr(test, "callspec") else {}
        return {name: fixtures[name] for name in inspect.signature(test.obj).parameters}

    def _make_generator(self, test: pytest.Function, purpose: str = "") -> np.random.Generator:
        """Return the random generator of a test, seeded with the secret, the test's name and `purpose`."""
        place = test.nodeid.rpartition("/")[2] + purpose
        digest = hashlib.sha256(self.secret + place.encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _make_draw(rng: np.random.Generator) -> Callable[..., np.ndarray]:
    """Return the fixture `draw`: ``draw(3, 4)`` returns eighths (exact in float32) or, if not `exact`, any floats."""

    def draw(*shape: int, low: int = -3, high: int = 3, exact: bool = True) -> np.ndarray:
        if not exact:
            return rng.uniform(low, high, shape)
        numbers = rng.integers(8 * low, 8 * high, size=shape, endpoint=True) / 8
        # With a row of zeros all scores are equal, and tests that need unequal weights would fail.
        return np.where(numbers.any(axis=-1, keepdims=True), numbers, 1 / 8) if shape else numbers

    return draw


def collect_suites(exercises: Iterable[Exercise], secret: bytes) -> Suites:
    files = [curriculum.suite_of(exercise.name) for exercise in exercises]
    if missing := [file for file in files if not file.exists()]:
        raise SuiteError(f"{missing[0]} is missing: write the suite of the exercise (docs/author.md)")
    suites, folders = Suites(files, secret), sorted({file.parent for file in files})
    with _without_pytest_options():
        code = pytest.main([*_PYTEST_FLAGS, *map(str, folders)], plugins=[suites]) if files else pytest.ExitCode.OK
    if suites.broken or code != pytest.ExitCode.OK:
        raise SuiteError(suites.broken[0] if suites.broken else f"pytest ended with {code!r} before any suite ran")
    return suites


def find_refusal(exercise: Exercise, session: AnswerSession) -> AnswerRefused | None:
    """Return the refusal of an answer that cannot be run or uses a banned shortcut, or None."""
    try:
        session.require_function(exercise.name)
    except AnswerRefused as refusal:
        return refusal
    shortcut = session.file and session.file.find_shortcut(exercise)
    return refuse_shortcut(exercise.name, *shortcut) if shortcut else None


def _record_mismatch(verdict: TestVerdict, mismatch: Mismatch, share: float) -> None:
    verdict.fail("wrong", f"{mismatch.sentence}.", str(mismatch.call), reason=mismatch.reason)
    verdict.mismatch = mismatch  # without the traceback, which would keep the test's frames alive
    mismatch.__traceback__ = mismatch.__context__ = None
    verdict.shown_call, verdict.points = mismatch.call, share * verdict.max_points


def make_passing_verdict(test: pytest.Function) -> TestVerdict:
    mark = test.get_closest_marker("points")
    if mark is None:
        raise SuiteError(f"{test.nodeid} has no points mark")
    return TestVerdict(test.name.removeprefix("test_"), "passed", mark.args[0], mark.args[0])


@contextmanager
def _without_pytest_options() -> Iterator[None]:
    """Remove pytest's environment variables, such as ``PYTEST_ADDOPTS=-v``, inside the context."""
    options = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    try:
        yield
    finally:
        os.environ.update(options)


SCALES = (1.0, 1e-3)  # the repeated inputs are multiplied by each factor
FACTOR_RANGE = (0.6, 1.4)  # bounds of the random factor for each number; signs and zeros do not change


def repeat_first_call(answer: Answer, solution: Solution, calls: Sequence[Call], rng: np.random.Generator) -> None:
    """Repeat the first compared call that has floats, with new floats. Raises `Mismatch` if the result is wrong."""
    all_calls = list(calls)
    for call in calls:
        arrays = find_arrays(call.args) if call.expected_value is not None else ()
        if any(array.size and array.dtype.kind == "f" for array in arrays):
            break
    else:
        return
    for scale in SCALES:
        args: Any = vary_numbers(call.args, rng, scale)
        if scale != 1 and call.maker:
            continue  # State with large numbers from earlier calls would hide the small ones.
        if scale != 1:
            args = to_double_precision(args)  # float32 would leave few digits of small numbers
        all_calls.append(Call(call.name, args, call.kwargs, call.maker, call.method))
        reply, expected = answer.fetch(all_calls[-1]), solution.repeat_calls(all_calls)
        reply.equals(type(call.expected_value)(*expected) if hasattr(call.expected_value, "_fields") else expected)


def vary_numbers(value: object, rng: np.random.Generator, scale: float) -> object:
    """Return the value with its floats changed at random. Integers stay, and weights that sum to 1 keep their sum."""

    def vary_array(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind != "f":
            return array
        numbers = rng.uniform(*FACTOR_RANGE, array.shape) * array
        is_positive = array.ndim and array.size and (array >= 0).all()
        are_weights = is_positive and np.allclose(array.sum(axis=-1), 1, atol=1e-6)
        return (numbers / numbers.sum(axis=-1, keepdims=True) if are_weights else scale * numbers).astype(array.dtype)

    def change(part: object) -> object:
        if isinstance(part, Tensor):
            return replace(part, array=vary_array(part.array))
        if isinstance(part, np.ndarray):
            return vary_array(part)
        return float(scale * rng.uniform(*FACTOR_RANGE) * part) if isinstance(part, float) else part

    return map_scalars(value, change)
