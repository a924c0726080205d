"""A worker in which the small edits of one answer are tried, each for so long and no longer."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from autograder.boundary.channel import Worker, WorkerEnded
from autograder.boundary.zygotes import new_worker
from autograder.judging.run.batch import Batch
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.small_edits.answer_edits import AnswerEdit

EDIT_SECONDS = 0.25  # for one edit
EDITS_PER_MESSAGE = 16  # in one message


class OutOfTime(Exception):
    """There is no time left to look on."""


class EditWorker:
    """The small edits of one exercise of one answer; `OutOfTime` from a deadline of `time.monotonic` on."""

    def __init__(
        self, answer: AnswerFile, edits: list[AnswerEdit], libraries: tuple[str, ...], deadline: float
    ) -> None:
        self.answer, self.edits, self.libraries, self.deadline = answer, edits, libraries, deadline
        self.worker: Worker | None = None

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None

    @property
    def seconds_left(self) -> float:
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise OutOfTime
        return seconds

    def replies(self, numbers: Sequence[int], batch: Batch) -> Iterator[tuple[int, bytes | None]]:
        """The number and the replies, if there are any, of each of these edits; -1 is the answer as it is."""
        for at in range(0, len(numbers), EDITS_PER_MESSAGE):
            yield from self._replies_at_once(numbers[at : at + EDITS_PER_MESSAGE], batch)

    def _replies_at_once(self, numbers: Sequence[int], batch: Batch) -> Iterator[tuple[int, bytes | None]]:
        """The same for so many as travel together; one by one where one of them has ended the worker."""
        replies = None
        try:
            definitions = [self._edited_definition(number, batch.name) for number in numbers]
            request = ["try", definitions, min(EDIT_SECONDS, self.seconds_left), batch.name, batch.rows]
            replies = (self.worker or self._begin()).ask(request, self.seconds_left)
        except WorkerEnded:
            self.worker = None
            if len(numbers) > 1:
                for number in numbers:
                    yield from self._replies_at_once([number], batch)
                return
        if not (isinstance(replies, list) and len(replies) == len(numbers) and all(map(_are_bytes, replies))):
            replies = [None] * len(numbers)
        yield from zip(numbers, (None if array is None else array.tobytes() for array in replies), strict=True)

    def _edited_definition(self, number: int, name: str) -> tuple[str, str]:
        """Name and text of the definition that an edit changes; without a text the answer stays as it is."""
        if number < 0:
            return name, ""
        at, name, start, end, edit = self.edits[number]
        return name, edit.apply_to(self.answer.cells[at].source[:end])[start:]

    def _begin(self) -> Worker:
        """Start a worker that holds the answer."""
        self.worker = worker = new_worker(self.libraries)
        try:
            worker.ask(["load", self.answer.cells, self.answer.notebook], self.seconds_left)
        except WorkerEnded:
            self.worker = None
            raise OutOfTime from None
        return worker


def _are_bytes(reply: object) -> bool:
    return reply is None or (isinstance(reply, np.ndarray) and reply.dtype == np.uint8)
