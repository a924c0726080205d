"""Tries one small edit of an answer: it is made, asked what a batch asks, and taken back."""

import contextlib
import signal
import time

_AGAIN = 0.01  # seconds of work after which a loop that catches everything is interrupted once more


class _TooLong(BaseException):
    """An edit has led to a loop that does not end, or not soon."""


def tried(runner, name, text, play, seconds):
    """What comes of playing with another definition in place of one; None where it cannot be run, or not in time.

    Parameters
    ----------
    runner : autograder.worker.runner.Runner
        It holds the answer.
    name, text : str
        What is defined, and its definition with the edit made; no text for the answer as it is.
    play : callable
    seconds : float
        Of work.
    """
    names = vars(runner.module)
    before = names.get(name)
    runner.forget()
    try:
        with _in_time(seconds):
            exec(compile(text, "<edit>", "exec", dont_inherit=True), names)
            return play()
    except BaseException:
        return None
    finally:
        names[name] = before


@contextlib.contextmanager
def _in_time(seconds):
    def interrupt(*_):
        if is_on:
            raise _TooLong

    started, is_on = time.process_time(), True
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, interrupt)
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        yield
        if time.process_time() - started > seconds:  # what was to end the loop was caught
            raise _TooLong
    finally:
        is_on = False
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)
