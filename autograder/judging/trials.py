"""A worker in which the small edits of one answer are tried, each for so long and no longer."""

import time

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.zygotes import new_worker

EDIT_SECONDS = 0.25  # of work, for one edit
AT_ONCE = 16  # edits in one message


class OutOfTime(Exception):
    """There is no time left to look on."""


class Trials:
    """The small edits of one exercise of one answer.

    Parameters
    ----------
    answer : autograder.chapters.answers.AnswerFile
    edits : list of autograder.worker.small_edits.answers.AnswerEdit
    libraries : tuple of str
    deadline : float
        Of `time.monotonic`: `OutOfTime` from then on.
    """

    def __init__(self, answer, edits, libraries, deadline):
        self.answer, self.edits, self.libraries, self.deadline = answer, edits, libraries, deadline
        self.worker = None

    def close(self):
        """End the worker."""
        if self.worker is not None:
            self.worker.close()
            self.worker = None

    def left(self):
        """Seconds that are left."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return left

    def tried(self, numbers, batch):
        """Yield (number, replies, as bytes, or None) for each of these edits; -1 is the answer as it is."""
        for at in range(0, len(numbers), AT_ONCE):
            yield from self._at_once(numbers[at : at + AT_ONCE], batch)

    def _at_once(self, numbers, batch):
        """The same for so many as travel together; one by one where one of them has ended the worker."""
        try:
            edits = [self._edited(number, batch.name) for number in numbers]
            found = self._ask(["try", edits, min(EDIT_SECONDS, self.left()), batch.name, batch.rows])
        except WorkerEnded:
            self.worker, found = None, None
            if len(numbers) > 1:
                for number in numbers:
                    yield from self._at_once([number], batch)
                return
        if not (isinstance(found, list) and len(found) == len(numbers) and all(map(_is_bytes, found))):
            found = [None] * len(numbers)
        yield from zip(numbers, (None if each is None else each.tobytes() for each in found), strict=True)

    def _edited(self, number, name):
        """(name, text) of the definition that an edit changes; without a text the answer stays as it is."""
        if number < 0:
            return name, ""
        at, name, start, end, edit = self.edits[number]
        return name, edit.applied(self.answer.cells[at].source[:end])[start:]

    def _ask(self, request):
        if self.worker is None:
            self._begin()
        return self.worker.ask(request, self.left())

    def _begin(self):
        """Start a worker that holds the answer."""
        cells = [(cell.place, cell.line, cell.source) for cell in self.answer.cells]
        self.worker = new_worker(self.libraries)
        try:
            self.worker.ask(["load", cells, self.answer.notebook], self.left())
        except WorkerEnded:
            self.worker = None
            raise OutOfTime from None


def _is_bytes(found):
    return found is None or (isinstance(found, np.ndarray) and found.dtype == np.uint8)
