"""Where answers are graded, here or in local processes, and how: every answer once, and one that fails harms no other.

Both are `concurrent.futures` executors with a `window`: how many answers to hand out at a time.
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
MAX_FAILURES_IN_A_ROW = 8  # so many failures with no piece finished in between are not one piece's: the run ends
PIECES_PER_JOB = 4  # answers handed out for each job: enough to keep it busy, few to do again if it dies


class Inline(Executor):
    window = 1  # what is done is in the record before the next one starts

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Local(ProcessPoolExecutor):
    def __init__(self, jobs: int) -> None:
        # A fresh interpreter for each: a fork would share this process's zygotes and terminal.
        with _importing_nothing_from_here():  # the process that keeps count of locks starts at once
            super().__init__(jobs, multiprocessing.get_context("spawn"), initializer=_end_with_the_grader)
        self.window = PIECES_PER_JOB * jobs

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future; with the first one the processes start."""
        with _importing_nothing_from_here():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _importing_nothing_from_here() -> Iterator[None]:
    """Keep Python from looking for modules in the folder one stands in: an answer there may be called `pickle.py`."""
    before, util = os.environ.get("PYTHONSAFEPATH"), vars(multiprocessing.util)
    flags = util["_args_from_interpreter_flags"]
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.version_info < (3, 11) and not sys.flags.isolated:  # which knows no such variable
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
    """In a process of the pool: without this it would wait for work for ever where the grader is killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches it too: end, and say nothing
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def local(jobs: int) -> Inline | Local:
    return Inline() if jobs == 1 else Local(jobs)


def processes(jobs: int, worth: int = 4) -> Callable[[int], Inline | Local]:
    """Return a function that makes an executor for a number of answers, of which `worth` pay for one process."""
    return lambda answers: local(jobs or min(os.cpu_count() or 1, 1 + answers // worth))


def grade_pieces(
    pieces: Iterator, work: Callable, make_executor: Callable, finished: Callable
) -> list[tuple[Any, Exception | None]]:
    """Grade the pieces in whatever order they get done. One that failed is tried once more when all others are done.

    An executor that breaks loses all that it works on, whichever answer broke it: none of them has failed then.

    `work`: gives the record line of a piece, in whatever process an executor chooses.
    `finished`: called here with the line of every piece, once.
    Gives those that could not be graded, and why; all others are finished.
    `KitFault` where many in a row could not be graded.
    """
    run = _Run(pieces, work, make_executor, finished)
    try:
        while run.submit() or run.is_broken:
            run.collect()
            run.mend()
    finally:
        run.executor.shutdown(cancel_futures=True)
    return run.failed


class _Run:
    """What is running, what comes later, and what has gone wrong."""

    def __init__(self, pieces: Iterator, work: Callable, make_executor: Callable, finished: Callable) -> None:
        self.pieces, self.work, self.make_executor, self.finished = pieces, work, make_executor, finished
        self.executor, self.is_broken = make_executor(), False
        self.running: dict[Future, Any] = {}  # future -> piece
        self.later: deque[Any] = deque()  # what to try again when all others are done
        self.tried: set[str] = set()  # paths of those that failed once
        self.failed: list[tuple[Any, Exception | None]] = []  # those that failed twice, and why
        self.in_a_row = 0
        self.why: Exception | None = None

    def submit(self) -> bool:
        """Keep the executor busy; whether anything is running."""
        piece = None
        try:
            while len(self.running) < self.executor.window and (piece := self._next()):
                self.running[self.executor.submit(self.work, piece)] = piece
        except BrokenExecutor as error:
            self.later.append(piece)
            self.is_broken, self.why = True, error
        return bool(self.running)

    def collect(self) -> None:
        for future in wait(self.running, return_when=FIRST_COMPLETED).done:
            self._take(self.running.pop(future), *_result(future))

    def mend(self) -> None:
        """Go on with a fresh executor where the last one broke, unless nothing works any more."""
        if self.is_broken:
            self.in_a_row += 1
            self.later.extend(self.running.values())
            self.running.clear()
            self.executor.shutdown()
        if self.in_a_row > MAX_FAILURES_IN_A_ROW:
            raise KitFault(f"nothing can be graded: {sentence_of(self.why)}. What is done is kept")
        if self.is_broken:
            self.executor, self.is_broken = self.make_executor(), False

    def _next(self) -> Any:
        return next(self.pieces, None) or (self.later and self.later.popleft())

    def _take(self, piece: Any, line: Line | None, failure: Exception | None) -> None:
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


def _result(future: Future) -> tuple[Line | None, Exception | None]:
    try:
        return future.result(), None
    except Exception as error:
        return None, error
