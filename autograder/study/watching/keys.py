"""Single keys, without Enter, on POSIX and on Windows."""

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType

try:
    import select
    import termios
    import tty
except ImportError:  # Windows
    termios = None

_CODE = re.compile(r"\x1b[O\[][\d;?]*.|\x1b.?|.", re.DOTALL)  # what a key sends
_NAMES = {"\r": "enter", "\n": "enter", "\x1b": "escape", "\xe0H": "up", "\xe0P": "down"}
_NAMES |= {f"\x1b{kind}{letter}": name for kind in "[O" for letter, name in (("A", "up"), ("B", "down"))}

ReadKeys = Callable[[float], list[str]]  # waits some seconds: characters, and names such as "up" and "enter"


@contextlib.contextmanager
def single_keys(resumed: Callable[[], None] = lambda: None) -> Iterator[ReadKeys | None]:
    """While open, gives what reads keys, or None where nobody can type; "q" comes where the terminal has gone.

    After Ctrl-Z and ``fg`` the shell has left the terminal in its own mode: it is set right, and `resumed` is called.
    """
    if not _can_type():
        yield None
    elif termios is None:
        yield _windows_keys
    else:
        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)

        def resume(kind: int, frame: FrameType | None) -> None:
            tty.setcbreak(number)
            resumed()

        handlers = {signal.SIGTERM: _leave, signal.SIGCONT: resume}
        replaced = {kind: signal.signal(kind, handler) for kind, handler in handlers.items()}
        tty.setcbreak(number)  # Ctrl-C still interrupts
        try:
            yield _posix_keys
        finally:
            for kind, handler in replaced.items():
                signal.signal(kind, handler)
            with contextlib.suppress(termios.error):  # the terminal has gone
                termios.tcsetattr(number, termios.TCSADRAIN, before)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)  # by way of every `finally`, so that the terminal is as it was


def _can_type() -> bool:
    try:
        number = sys.stdin.fileno()
        # In the background, a process that touches the terminal is stopped.
        return os.isatty(number) and (termios is None or os.tcgetpgrp(number) == os.getpgrp())
    except (OSError, ValueError, AttributeError):  # no standard input at all
        return False


def _posix_keys(seconds: float) -> list[str]:
    number = sys.stdin.fileno()
    try:
        if not select.select([number], [], [], seconds)[0]:
            return []
        typed = os.read(number, 64).decode("utf-8", "replace")
    except OSError:
        typed = ""
    return _named(_CODE.findall(typed)) if typed else ["q"]


def _windows_keys(seconds: float) -> list[str]:
    import msvcrt  # noqa: PLC0415  (Windows alone has it)

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if msvcrt.kbhit():
            key = msvcrt.getwch()
            return _named(["\xe0" + msvcrt.getwch() if key in ("\0", "\xe0") else key])  # an arrow key sends two
        time.sleep(0.02)  # there is nothing to wait on
    return []


def _named(codes: list[str]) -> list[str]:
    """The names of keys; those that mean nothing here are left out."""
    return [_NAMES.get(code, code) for code in codes if code in _NAMES or len(code) == 1]
