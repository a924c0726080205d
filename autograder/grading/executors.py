"""Executors that grade answers, in this process or in several. A failure affects only one answer.

Each executor has the interface of `concurrent.futures`, and a `window`: how many answers may be submitted at once.
"""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.util
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

from autograder.chapters.errors import BrokenKitError, sentence_of
from autograder.grading.record import RecordLine, has_fault

P = ParamSpec("P")
T = TypeVar("T")
MAX_FAILURES_IN_A_ROW = 8  # the run ends at the next consecutive failure
PIECES_PER_WORKER = 4  # number of submitted answers per process, which are graded again if it dies


class InlineExecutor(Executor):
    window = 1  # Each answer is recorded before the next one starts.

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class LocalExecutor(ProcessPoolExecutor):
    def __init__(self, jobs: int) -> None:
        # Each process is a new interpreter, because a fork would share zygotes and the terminal.
        with _hide_local_imports():  # This starts another interpreter, the resource tracker.
            super().__init__(jobs, multiprocessing.get_context("spawn"), initializer=_prepare_process)
        self.window = PIECES_PER_WORKER * jobs

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call and return its future. The first submitted call starts the processes."""
        with _hide_local_imports():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _hide_local_imports() -> Iterator[None]:
    """Prevent Python from importing from the current folder inside this context: an answer may be named `pickle.py`."""
    value_before, util = os.environ.get("PYTHONSAFEPATH"), vars(multiprocessing.util)
    flags = util["_args_from_interpreter_flags"]
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.version_info < (3, 11) and not sys.flags.isolated:  # Python 3.10 ignores the variable.
        util["_args_from_interpreter_flags"] = lambda: [*flags(), "-I"]
    try:
        yield
    finally:
        util["_args_from_interpreter_flags"] = flags
        del os.environ["PYTHONSAFEPATH"]
        if value_before is not None:
            os.environ["PYTHONSAFEPATH"] = value_before


def _prepare_process() -> None:
    """Make this process of the pool end when the grader is killed. Otherwise, it would wait for work for ever."""
    gc.set_threshold(50_000, 20, 20)  # Most garbage has no cycles, so Python's frequent collections find nothing.
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a message.
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()


def _exit_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def make_executor(jobs: int) -> InlineExecutor | LocalExecutor:
    return InlineExecutor() if jobs == 1 else LocalExecutor(jobs)


def make_executor_factory(jobs: int, answers_per_process: int = 4) -> Callable[[int], InlineExecutor | LocalExecutor]:
    """Return a function from the number of answers to an executor with `jobs` processes (0: as many as are useful)."""
    return lambda answers: make_executor(jobs or min(os.cpu_count() or 1, 1 + answers // answers_per_process))


def grade_pieces(
    pieces: Iterator, work: Callable, make_executor: Callable, finished: Callable
) -> list[tuple[Any, Exception | None]]:
    """Grade pieces of work, such as files, in any order. Return (piece, error) for those that failed twice.

    A failed piece is tried again after all others. If the executor breaks, all its current pieces are lost, and none of
    them counts as failed. `work` may run in any process and returns a piece's record line. `finished` is called in
    this process with each line. Raises `BrokenKitError` after too many failures in a row.
    """
    run = _RetryingMap(pieces, work, make_executor, finished)
    try:
        while run.submit() or run.is_broken:
            run.collect()
            run.replace_executor()
    finally:
        run.executor.shutdown(cancel_futures=True)
    return run.failed


class _RetryingMap:
    """The state of `grade_pieces`: pieces that are being graded, that wait for a second try, and that failed."""

    def __init__(self, pieces: Iterator, work: Callable, make_executor: Callable, finished: Callable) -> None:
        self.pieces, self.work, self.make_executor, self.finished = pieces, work, make_executor, finished
        self.executor, self.is_broken = make_executor(), False
        self.running: dict[Future, Any] = {}  # future -> its piece
        self.later: deque[Any] = deque()  # pieces to try again
        self.tried: set[str] = set()  # paths of pieces that failed once
        self.failed: list[tuple[Any, Exception | None]] = []  # pieces that failed twice, with their errors
        self.in_a_row = 0
        self.why: Exception | None = None

    def submit(self) -> bool:
        """Submit pieces of work until `executor.window` of them are running. Return whether any is running."""
        piece = None
        try:
            while len(self.running) < self.executor.window and (piece := self._next_piece()):
                self.running[self.executor.submit(self.work, piece)] = piece
        except BrokenExecutor as error:
            self.later.append(piece)
            self.is_broken, self.why = True, error
        return bool(self.running)

    def collect(self) -> None:
        for future in wait(self.running, return_when=FIRST_COMPLETED).done:
            self._handle_result(self.running.pop(future), *_get_outcome(future))

    def replace_executor(self) -> None:
        """Replace a broken executor. Raises `BrokenKitError` after too many failures in a row."""
        if self.is_broken:
            self.in_a_row += 1
            self.later.extend(self.running.values())
            self.running.clear()
            self.executor.shutdown()
        if self.in_a_row > MAX_FAILURES_IN_A_ROW:
            raise BrokenKitError(f"nothing can be graded: {sentence_of(self.why)}. What is done is kept")
        if self.is_broken:
            self.executor, self.is_broken = self.make_executor(), False

    def _next_piece(self) -> Any:
        return next(self.pieces, None) or (self.later and self.later.popleft())

    def _handle_result(self, piece: Any, line: RecordLine | None, failure: Exception | None) -> None:
        is_last_try = piece.path in self.tried
        self.why = failure or self.why
        if isinstance(failure, BrokenExecutor):
            self.is_broken = True
            self.later.append(piece)
        elif line and (is_last_try or not has_fault(line)):
            self.in_a_row = 0
            self.finished(line)
        elif is_last_try:
            self.in_a_row += 1
            self.failed.append((piece, failure))
        else:
            self.in_a_row += failure is not None
            self.tried.add(piece.path)
            self.later.append(piece)


def _get_outcome(future: Future) -> tuple[RecordLine | None, Exception | None]:
    try:
        return future.result(), None
    except Exception as error:
        return None, error
