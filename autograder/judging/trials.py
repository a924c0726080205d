"""A worker in which the small edits of one answer are tried, each for so long and no longer."""

import time

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.zygotes import new_worker
from autograder.worker.small_edits import SmallEdit

EDIT_SECONDS = 0.25  # for one edit
AT_ONCE = 16  # edits in one message: so many are lost with a worker that ends


class OutOfTime(Exception):
    """There is no time left to look on."""


class Trials:
    """The small edits of one exercise of one answer.

    Parameters
    ----------
    answer : autograder.chapters.answers.AnswerFile
    libraries : tuple of str
    name : str
        The exercise.
    others : list of str
        Exercises whose code is left alone.
    deadline : float
        Of `time.monotonic`: `OutOfTime` from then on.

    Attributes
    ----------
    edits : list of (int, SmallEdit)
        The number of a cell, and what can be done to it; those that are more often what was meant come first.
    load_seconds : float
        How long the answer's cells took.
    """

    def __init__(self, answer, libraries, name, others, deadline):
        self.name, self.libraries, self.deadline = name, libraries, deadline
        self.cells = [(cell.place, cell.line, cell.source) for cell in answer.cells]
        self.notebook, self.others, self.worker, self.load_seconds = answer.notebook, others, None, 0.0
        self.edits = self._begin()

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
            some = numbers[at : at + AT_ONCE]
            if self.worker is None:
                self._begin()
            try:
                found = self._ask(["edits", "run", some, self.name, batch.rows, min(EDIT_SECONDS, self.left())])
            except WorkerEnded:
                self.worker, found = None, None
            if not isinstance(found, list) or len(found) != len(some):
                found = [None] * len(some)
            yield from zip(some, (None if each is None else each.tobytes() for each in found), strict=True)

    def _begin(self):
        """Start a worker that knows the edits and holds the answer; the edits."""
        self.worker = new_worker(self.libraries)
        try:
            rows = self._ask(["edits", "find", self.cells, self.name, self.others])
            started = time.monotonic()
            self._ask(["load", self.cells, self.notebook])
        except WorkerEnded:
            raise OutOfTime from None
        self.load_seconds = time.monotonic() - started
        return [(row[0], SmallEdit(*row[1:])) for row in rows]

    def _ask(self, request):
        return self.worker.ask(request, self.left())
