"""Single keys, without Enter, on POSIX and on Windows."""

import contextlib
import os
import sys
import time

try:
    import select
    import termios
    import tty
except ImportError:  # Windows
    termios = None


@contextlib.contextmanager
def single_keys():
    """While open, gives a function that waits some seconds for a key; gives None where nobody can type.

    The function returns a character, "" where none came, and "q" where the terminal has gone.
    """
    if not _can_type():
        yield None
    elif termios is None:
        yield _windows_key
    else:
        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)
        tty.setcbreak(number)  # Ctrl-C still interrupts
        try:
            yield _posix_key
        finally:
            with contextlib.suppress(termios.error):  # the terminal has gone
                termios.tcsetattr(number, termios.TCSADRAIN, before)


def _can_type():
    try:
        number = sys.stdin.fileno()
        # In the background, a process that touches the terminal is stopped.
        return os.isatty(number) and (termios is None or os.tcgetpgrp(number) == os.getpgrp())
    except (OSError, ValueError, AttributeError):  # no standard input at all
        return False


def _posix_key(seconds):
    number = sys.stdin.fileno()
    try:
        if not select.select([number], [], [], seconds)[0]:
            return ""
        typed = os.read(number, 64).decode("utf-8", "replace")
    except OSError:
        typed = ""
    if not typed:
        return "q"
    return "" if typed[0] == "\x1b" else typed[0]  # an arrow key sends several characters, an escape first


def _windows_key(seconds):
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
