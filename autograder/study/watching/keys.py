"""A reader of single keys, without Enter, on POSIX and on Windows."""

import contextlib
import importlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

try:
    import select
    import termios
    import tty
except ImportError:  # Windows
    termios = None

_CODE = re.compile(r"\x1b(?:(?:\[|O)([\d;?]*.)|(.))?|(.)", re.DOTALL)  # matches the characters of one key
_CHARACTERS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x1b": "escape"}


class Keyboard:
    """The keyboard of this terminal. One thread reads its keys.

    A key is a character, "enter", "backspace" or "escape". If the terminal is closed, the key is "q". `lend` switches
    the terminal to line input for another program. After Ctrl-Z, `renew` switches it back to single keys.
    """

    def __init__(
        self,
        read: Callable[[float], list[str]],
        lend: Callable[[], contextlib.AbstractContextManager] = contextlib.nullcontext,
        renew: Callable[[], None] = lambda: None,
    ) -> None:
        self._read, self._lend, self.renew, self._lock = read, lend, renew, threading.Lock()

    def read(self, seconds: float) -> list[str]:
        """Return the keys that are pressed within `seconds`. While the keyboard is lent, wait until it is returned."""
        with self._lock:
            return self._read(seconds)

    @contextlib.contextmanager
    def lend(self) -> Iterator[None]:
        """Lend the keyboard inside the context to an editor, or to a question that is answered with a line."""
        with self._lock, self._lend():
            yield


@contextlib.contextmanager
def open_keyboard(resumed: Callable[[], None] = lambda: None) -> Iterator[Keyboard | None]:
    """Yield a `Keyboard`, or None without a terminal. `resumed` is called after Ctrl-Z and ``fg``."""
    if not _can_type():
        yield None
    elif termios is None:
        yield Keyboard(_read_windows_keys)
    else:
        number = sys.stdin.fileno()
        old_settings = termios.tcgetattr(number)

        def resume(kind: int, frame: FrameType | None) -> None:
            resumed()

        handlers = {signal.SIGTERM: _exit_on_signal, signal.SIGCONT: resume}
        replaced = {kind: signal.signal(kind, handler) for kind, handler in handlers.items()}

        @contextlib.contextmanager
        def lend() -> Iterator[None]:
            termios.tcsetattr(number, termios.TCSADRAIN, old_settings)
            try:
                yield
            finally:
                tty.setcbreak(number)

        tty.setcbreak(number)  # Ctrl-C still interrupts.
        try:
            yield Keyboard(_read_posix_keys, lend, lambda: tty.setcbreak(number))
        finally:
            for kind, handler in replaced.items():
                signal.signal(kind, handler)
            with contextlib.suppress(termios.error):  # The terminal is gone.
                termios.tcsetattr(number, termios.TCSADRAIN, old_settings)


def _exit_on_signal(signum: int, frame: object) -> None:
    sys.exit(128 + signum)  # This runs every `finally`, which restores the terminal.


def _can_type() -> bool:
    try:
        number = sys.stdin.fileno()
        # The system stops a background process that changes the settings of the terminal.
        return os.isatty(number) and (termios is None or os.tcgetpgrp(number) == os.getpgrp())
    except (OSError, ValueError, AttributeError):  # There is no standard input.
        return False


def _read_posix_keys(seconds: float) -> list[str]:
    number = sys.stdin.fileno()
    try:
        if not select.select([number], [], [], seconds)[0]:
            return []
        typed = os.read(number, 64).decode("utf-8", "replace")
    except OSError:
        typed = ""
    return [key for code in _CODE.finditer(typed) if (key := _name_key(*code.groups()))] if typed else ["q"]


def _name_key(code: str | None, alt: str | None, character: str | None) -> str:
    """Return the name of a key from the groups of `_CODE`, or "" for keys that have no function."""
    key = character or "\x1b"
    return "" if code or alt else _CHARACTERS.get(key, key)


def _read_windows_keys(seconds: float) -> list[str]:
    msvcrt = importlib.import_module("msvcrt")  # It only exists on Windows.
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if msvcrt.kbhit():
            key = msvcrt.getwch()
            if key in ("\0", "\xe0"):  # An arrow key: skip its second character.
                msvcrt.getwch()
                return []
            return [_CHARACTERS.get(key, key)]
        time.sleep(0.02)  # `msvcrt` cannot wait with a time limit.
    return []
