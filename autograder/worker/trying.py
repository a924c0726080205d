"""Tries small edits of an answer, many in one worker: each is made, asked the same, and taken back."""

import ast
import contextlib
import signal
import time

from .reading.answers import AnswerFile, CodeCell
from .reading.reach import statements_of
from .small_edits import small_edits
from .small_edits.edit import Text

MOST = 1500  # edits of one answer
_AGAIN = 0.01  # seconds after which a loop that catches everything is interrupted once more


class _TooLong(BaseException):
    """An edit has led to a loop that does not end, or not soon."""


class Trials:
    """The small edits of one exercise of an answer, and the runner that holds the answer.

    Parameters
    ----------
    runner : autograder.worker.runner.Runner
    play : callable
        Makes the requests of a batch: takes a name and its steps, gives all replies as bytes.
    """

    def __init__(self, runner, play):
        self.runner, self.play, self.edits, self._armed = runner, play, [], False

    def find(self, cells, name, others):
        """List the edits of what an exercise's definition leads to; nothing of the answer has run yet.

        Parameters
        ----------
        cells : list of (str, int, str)
            As `Runner.load` takes them.
        name : str
        others : list of str
            Exercises whose code is left alone.

        Returns
        -------
        list of tuple
            For each edit the number of its cell, and what `SmallEdit` holds.
        """
        answer = AnswerFile("", tuple(CodeCell(*cell) for cell in cells))
        numbers = {id(cell): number for number, cell in enumerate(answer.cells)}
        found = []
        for each in statements_of(answer).names_reached(name) - set(others):
            cell, _ = answer.definitions.get(each, (None, 0))
            if cell is not None and (span := _span(cell.source, each)):
                at = numbers[id(cell)]
                found += [(at, each, span, edit) for edit in small_edits(cell.source, {each})]
        found.sort(key=lambda row: (row[-1].rank, row[1] != name))
        self.edits = [(answer.cells[at].source, *row) for at, *row in found[:MOST]]
        return [
            (at, edit.kind, edit.start, edit.end, edit.new, edit.line, edit.last_line) for at, *_, edit in found[:MOST]
        ]

    def run(self, numbers, name, steps, seconds):
        """What each of these edits makes of a batch, as bytes; None where it cannot be run, or not in time.

        Parameters
        ----------
        numbers : list of int
            Places in the list; -1 is the answer as it is.
        name : str
        steps : list
        seconds : float
            For each of them.
        """
        return [self._one(number, name, steps, seconds) for number in numbers]

    def _one(self, number, name, steps, seconds):
        names = vars(self.runner.module)
        defined, text = self._edited(number) if number >= 0 else ("", "")
        before = names.get(defined)
        self.runner.forget()
        try:
            with self._in_time(seconds):
                exec(compile(text, "<edit>", "exec", dont_inherit=True), names)
                return self.play(self.runner, name, steps)
        except BaseException:
            return None
        finally:
            if number >= 0:
                names[defined] = before

    def _edited(self, number):
        """The name that a definition has, and its text with the edit made."""
        source, defined, (start, end), edit = self.edits[number]
        return defined, source[start : edit.start] + edit.new + source[edit.end : end]

    @contextlib.contextmanager
    def _in_time(self, seconds):
        started = time.monotonic()
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._interrupt)
            self._armed = True
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        try:
            yield
            if time.monotonic() - started > seconds:  # the loop has caught what was to end it
                raise _TooLong
        finally:
            self._armed = False
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _interrupt(self, *_):
        if self._armed:
            raise _TooLong


def _span(source, name):
    """The first character of a definition and the one after its last, decorators included; None where it has none."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name]
    if not found:
        return None
    first = min([found[-1].lineno, *(each.lineno for each in found[-1].decorator_list)])
    return Text(source).lines_span(first, found[-1].end_lineno)
