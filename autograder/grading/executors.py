"""Where answers are graded: here or in local processes.

Both are `concurrent.futures` executors with a `window`: how many answers to hand out at a time.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.util
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
PIECES_PER_JOB = 4  # answers handed out for each job: enough to keep it busy, few to do again if it dies


class Inline(Executor):
    """Does the work at once, in this process."""

    window = 1  # what is done is in the record before the next one starts

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future that is done already."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Local(ProcessPoolExecutor):
    """Does the work in processes of its own."""

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
    """An executor of that many local processes."""
    return Inline() if jobs == 1 else Local(jobs)


def processes(jobs: int, worth: int = 4) -> Callable[[int], Inline | Local]:
    """Return a function that makes a local executor for a given number of answers.

    `jobs`: processes to start; 0 starts one for each core, but no more than pay for themselves.
    `worth`: how many answers take as long to grade as a process takes to start.
    """
    return lambda answers: local(jobs or min(os.cpu_count() or 1, 1 + answers // worth))
