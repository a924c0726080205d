"""Executors that grade answers in this process or in others. Each answer is graded once; a failure affects no other.

Both are `concurrent.futures` executors with a `window`, the number of answers to submit at a time.
"""

from __future__ import annotations

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

from autograder.chapters.errors import KitFault, sentence_of
from autograder.grading.record import Line, has_fault

P = ParamSpec("P")
T = TypeVar("T")
MAX_FAILURES_IN_A_ROW = 8  # After so many failures without a success, the run ends.
PIECES_PER_WORKER = 4  # submitted answers for each process; they are repeated if it dies


class Inline(Executor):
    window = 1  # Each answer is recorded before the next one starts.

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Local(ProcessPoolExecutor):
    def __init__(self, jobs: int) -> None:
        # A fresh interpreter for each process: a fork would share zygotes and the terminal.
        with _without_local_imports():  # The resource tracker starts here.
            super().__init__(jobs, multiprocessing.get_context("spawn"), initializer=_end_with_the_grader)
        self.window = PIECES_PER_WORKER * jobs

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call and return its future; the first call starts the processes."""
        with _without_local_imports():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _without_local_imports() -> Iterator[None]:
    """Keep Python from importing from the current folder, where an answer may be called `pickle.py`."""
    before, util = os.environ.get("PYTHONSAFEPATH"), vars(multiprocessing.util)
    flags = util["_args_from_interpreter_flags"]
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.version_info < (3, 11) and not sys.flags.isolated:  # Python 3.10 ignores the variable.
        util["_args_from_interpreter_flags"] = lambda: [*flags(), "-I"]
    try:
        yield
    finally:
        util["_args_from_interpreter_flags"] = flags
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _end_with_the_grader() -> None:
    """End this process of the pool if the grader is killed; otherwise it would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a message.
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _exit_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def make_executor(jobs: int) -> Inline | Local:
    return Inline() if jobs == 1 else Local(jobs)


def make_executor_factory(jobs: int, answers_per_process: int = 4) -> Callable[[int], Inline | Local]:
    """Return a function that makes an executor for a number of answers, with `jobs` processes if that is not 0."""
    return lambda answers: make_executor(jobs or min(os.cpu_count() or 1, 1 + answers // answers_per_process))


def grade_pieces(
    pieces: Iterator, work: Callable, make_executor: Callable, finished: Callable
) -> list[tuple[Any, Exception | None]]:
    """Grade the pieces in any order. A failed piece is tried once more, after all others.

    An executor that breaks loses all its current pieces, whichever caused it, so none of them counts as failed. `work`
    returns the record line of a piece, in any process. `finished` is called here once with each line. Return the pieces
    that could not be graded, and why. Raises `KitFault` if many in a row fail.
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
    """The state of `grade_pieces`: its pieces that run, that wait for their second try, and that failed."""

    def __init__(self, pieces: Iterator, work: Callable, make_executor: Callable, finished: Callable) -> None:
        self.pieces, self.work, self.make_executor, self.finished = pieces, work, make_executor, finished
        self.executor, self.is_broken = make_executor(), False
        self.running: dict[Future, Any] = {}  # future -> its piece
        self.later: deque[Any] = deque()  # pieces to try again
        self.tried: set[str] = set()  # paths of pieces that failed once
        self.failed: list[tuple[Any, Exception | None]] = []  # pieces that failed twice, and why
        self.in_a_row = 0
        self.why: Exception | None = None

    def submit(self) -> bool:
        """Submit pieces until the executor's window is full; return whether any piece is running."""
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
            self._handle_result(self.running.pop(future), *_unpack(future))

    def replace_executor(self) -> None:
        """Replace a broken executor. Raises `KitFault` after too many failures in a row."""
        if self.is_broken:
            self.in_a_row += 1
            self.later.extend(self.running.values())
            self.running.clear()
            self.executor.shutdown()
        if self.in_a_row > MAX_FAILURES_IN_A_ROW:
            raise KitFault(f"nothing can be graded: {sentence_of(self.why)}. What is done is kept")
        if self.is_broken:
            self.executor, self.is_broken = self.make_executor(), False

    def _next_piece(self) -> Any:
        return next(self.pieces, None) or (self.later and self.later.popleft())

    def _handle_result(self, piece: Any, line: Line | None, failure: Exception | None) -> None:
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


def _unpack(future: Future) -> tuple[Line | None, Exception | None]:
    try:
        return future.result(), None
    except Exception as error:
        return None, error
