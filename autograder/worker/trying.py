"""Tries small edits of an answer, many in one worker: each is made, asked the same, and taken back."""

import contextlib
import signal
import time

_AGAIN = 0.01  # seconds of work after which a loop that catches everything is interrupted once more


class _TooLong(BaseException):
    """An edit has led to a loop that does not end, or not soon."""


class Trials:
    """The small edits of an answer, and the runner that holds it.

    Parameters
    ----------
    runner : autograder.worker.runner.Runner
    play : callable
        Makes the requests of a batch: takes a runner, a name and its steps, gives all replies as bytes.
    """

    def __init__(self, runner, play):
        self.runner, self.play, self.edits, self._armed = runner, play, [], False

    def take(self, sources, edits):
        """Learn what there is to try.

        Parameters
        ----------
        sources : list of str
            The cells of the answer.
        edits : list of (int, str, int, int, int, int, str)
            For each edit the number of its cell, the name of a definition in it and the characters of that, the
            characters that it replaces, and what stands there then.
        """
        self.edits = [(sources[at], *row) for at, *row in edits]

    def run(self, numbers, name, steps, seconds):
        """What each of these edits makes of a batch, as bytes; None where it cannot be run, or not in time.

        Parameters
        ----------
        numbers : list of int
            Places in the list; -1 is the answer as it is.
        name : str
        steps : list
        seconds : float
            Of work, for each of them.
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
        source, defined, start, end, first, last, new = self.edits[number]
        return defined, source[start:first] + new + source[last:end]

    @contextlib.contextmanager
    def _in_time(self, seconds):
        started = time.process_time()
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGPROF, self._interrupt)
            self._armed = True
            signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        try:
            yield
            if time.process_time() - started > seconds:  # what was to end the loop was caught
                raise _TooLong
        finally:
            self._armed = False
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_PROF, 0)

    def _interrupt(self, *_):
        if self._armed:
            raise _TooLong
