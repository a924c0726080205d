"""Single keys, without Enter, on POSIX and on Windows."""

import contextlib
import os
import re
import signal
import sys
import time

try:
    import select
    import termios
    import tty
except ImportError:  # Windows
    termios = None

_ARROW = re.compile(r"\x1b(\[[\d;?]*.|O.|.)?")  # what a key without a letter sends


@contextlib.contextmanager
def single_keys():
    """While open, gives a function that waits some seconds for keys; gives None where nobody can type.

    The function returns the characters typed, "" where none were, and "q" where the terminal has gone.
    """
    if not _can_type():
        yield None
    elif termios is None:
        yield _windows_keys
    else:
        number = sys.stdin.fileno()
        before, handler = termios.tcgetattr(number), signal.signal(signal.SIGTERM, _leave)
        tty.setcbreak(number)  # Ctrl-C still interrupts
        try:
            yield _posix_keys
        finally:
            signal.signal(signal.SIGTERM, handler)
            with contextlib.suppress(termios.error):  # the terminal has gone
                termios.tcsetattr(number, termios.TCSADRAIN, before)


def _leave(number, frame):
    sys.exit(128 + number)  # by way of every `finally`, so that the terminal is as it was


def _can_type():
    try:
        number = sys.stdin.fileno()
        # In the background, a process that touches the terminal is stopped.
        return os.isatty(number) and (termios is None or os.tcgetpgrp(number) == os.getpgrp())
    except (OSError, ValueError, AttributeError):  # no standard input at all
        return False


def _posix_keys(seconds):
    number = sys.stdin.fileno()
    try:
        if not select.select([number], [], [], seconds)[0]:
            return ""
        typed = os.read(number, 64).decode("utf-8", "replace")
    except OSError:
        typed = ""
    return _ARROW.sub("", typed) if typed else "q"


def _windows_keys(seconds):
    import msvcrt  # noqa: PLC0415  (Windows alone has it)

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if msvcrt.kbhit():
            key = msvcrt.getwch()
            if key in ("\0", "\xe0"):  # an arrow key: a second character says which
                msvcrt.getwch()
                return ""
            return key
        time.sleep(0.02)  # there is nothing to wait on
    return ""
