"""Single keys, without Enter, on POSIX and on Windows."""

import contextlib
import os
import re
import signal
import sys
import threading
import time

try:
    import select
    import termios
    import tty
except ImportError:  # Windows
    termios = None

_CODE = re.compile(r"\x1b(?:\[[\d;?]*(.)|O(.)|(.))?|(.)", re.DOTALL)  # what a key sends, with or without a letter
_WINDOWS = {"H": "up", "P": "down"}
_NAMES = {"A": "up", "B": "down"}  # by what ends the code


class Keyboard:
    """The keys of this terminal, for one thread that reads them.

    Parameters
    ----------
    read : callable
        Waits some seconds for keys; a list of them: a character, or "up", "down", "enter", "escape". "q" where the
        terminal has gone.
    lend : callable
        A context in which the terminal reads whole lines, as it does elsewhere.
    """

    def __init__(self, read, lend=contextlib.nullcontext):
        self._read, self._lend, self._lock = read, lend, threading.Lock()

    def read(self, seconds):
        """Wait for keys, where they are not somebody else's at the moment."""
        with self._lock:
            return self._read(seconds)

    @contextlib.contextmanager
    def lent(self):
        """While open, keys belong to somebody else: an editor, or a question that is answered with Enter."""
        with self._lock, self._lend():
            yield


@contextlib.contextmanager
def single_keys():
    """While open, gives a `Keyboard`; gives None where nobody can type."""
    if not _can_type():
        yield None
    elif termios is None:
        yield Keyboard(_windows_keys)
    else:
        number = sys.stdin.fileno()
        before, handler = termios.tcgetattr(number), signal.signal(signal.SIGTERM, _leave)

        @contextlib.contextmanager
        def lend():
            termios.tcsetattr(number, termios.TCSADRAIN, before)
            try:
                yield
            finally:
                tty.setcbreak(number)

        tty.setcbreak(number)  # Ctrl-C still interrupts
        try:
            yield Keyboard(_posix_keys, lend)
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
            return []
        typed = os.read(number, 64).decode("utf-8", "replace")
    except OSError:
        typed = ""
    return [key for found in _CODE.finditer(typed) if (key := _key(*found.groups()))] if typed else ["q"]


def _key(csi, ss3, alt, character):
    """The name of a key; empty for one that means nothing here."""
    if csi or ss3:
        return _NAMES.get(csi or ss3, "")
    if character:
        return "enter" if character in "\r\n" else character
    return "" if alt else "escape"


def _windows_keys(seconds):
    import msvcrt  # noqa: PLC0415  (Windows alone has it)

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if msvcrt.kbhit():
            key = msvcrt.getwch()
            if key in ("\0", "\xe0"):  # an arrow key: a second character says which
                return [name] if (name := _WINDOWS.get(msvcrt.getwch(), "")) else []
            return ["enter" if key == "\r" else "escape" if key == "\x1b" else key]
        time.sleep(0.02)  # there is nothing to wait on
    return []
