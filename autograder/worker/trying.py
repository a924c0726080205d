"""Tries one small edit of an answer: it is made, asked what a batch asks, and taken back."""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator

from .runner import Runner

_AGAIN = 0.01  # seconds of work after which a loop that catches everything is interrupted once more


class _TooLong(BaseException):
    """An edit has led to a loop that does not end, or not soon."""


def tried(runner: Runner, name: str, text: str, play: Callable[[], bytes], seconds: float) -> bytes | None:
    """What comes of playing with another definition in place of one; None where it cannot be run, or not in time.

    Without a text the answer is played as it is.
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
def _in_time(seconds: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
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
