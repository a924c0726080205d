"""Work in pieces, on an executor that may break: every piece is finished once, and one that fails harms no other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import Any

from autograder.chapters.errors import KitFault, sentence_of
from autograder.grading.record import Line, has_fault

MAX_FAILURES_IN_A_ROW = 8  # so many failures with no piece finished in between are not one piece's: the run ends


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
        """Take what has got done."""
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
            raise KitFault(f"nothing can be graded: {sentence_of(self.why)}. What is done is in the record")
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
    """The line, or None and why there is none."""
    try:
        return future.result(), None
    except Exception as error:
        return None, error
