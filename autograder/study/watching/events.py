"""The events of `attn watch`, in one queue: saved files, keys, and results from other threads.

Checks run in a separate thread, so that keys and saves never wait for an answer.
"""

import contextlib
import importlib
import os
import queue
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import watchfiles

from autograder.boundary.channel import InterruptFlag, WaitInterrupted, allow_interrupt

try:
    import select
    import termios
    import tty
except ImportError:  # Windows
    termios = None

STEP_MS = 20  # milliseconds without a change after which a save is complete
DEBOUNCE_MS = 200  # milliseconds after which changes are reported even if they continue
LOOK_ANYWAY_MS = 500  # milliseconds between regular looks, because some file systems send no events
_SEQUENCE = re.compile(r"\x1b(?:(?:\[|O)[\d;?]*.|.)", re.DOTALL)  # the characters of an arrow key, or of a key with Alt


class FilesChanged:
    """The event that files may have changed."""


@dataclass(frozen=True)
class KeyPressed:
    key: str
    when: float = field(default_factory=time.monotonic)


class CheckerJob:
    """A job for the checker: a function that yields results one by one. `about`: the caller's data."""

    def __init__(self, work: Callable[[], Iterable], subject: Any = None) -> None:
        self.work, self.about, self.interrupt = work, subject, InterruptFlag()


@dataclass(frozen=True)
class JobResult:
    job: CheckerJob
    result: Any


@dataclass(frozen=True)
class JobEnded:
    job: CheckerJob
    error: BaseException | None


class ProcessResumed:
    """The event that the process was continued after Ctrl-Z."""


Put = Callable[[object], None]


def watch_files(folder: Path, put: Put, stop: threading.Event) -> None:
    """Call `put` with a `FilesChanged` after each save and at regular intervals, until `stop` is set."""
    polling = None
    while not stop.is_set():
        try:
            identity = _identify_folder(folder)
            for _ in watchfiles.watch(
                folder,
                watch_filter=lambda _, path: path.endswith((".py", ".ipynb")),
                debounce=DEBOUNCE_MS,
                step=STEP_MS,
                stop_event=stop,
                rust_timeout=LOOK_ANYWAY_MS,
                yield_on_timeout=True,
                recursive=False,
                force_polling=polling,
            ):
                put(FilesChanged())
                if _identify_folder(folder) != identity:
                    break
        except OSError:  # The folder is missing, but it may appear again.
            put(FilesChanged())
            stop.wait(LOOK_ANYWAY_MS / 1000)
        except RuntimeError:  # The system's limit of watched files is reached.
            polling = True


class Keyboard:
    """The keyboard of this terminal. One thread reads its keys.

    A key is a character. If the terminal is closed, the key is "q". `lend` switches the terminal to line input for
    another program. After Ctrl-Z, `renew` switches it back to single keys.
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

        def handle(number: int, frame: FrameType | None) -> None:
            if number == signal.SIGTERM:
                sys.exit(128 + number)  # This runs every `finally`, which restores the terminal.
            resumed()

        replaced = {kind: signal.signal(kind, handle) for kind in (signal.SIGTERM, signal.SIGCONT)}

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
    return [key for key in _SEQUENCE.sub("", typed) if key.isprintable()] if typed else ["q"]


def _read_windows_keys(seconds: float) -> list[str]:
    msvcrt = importlib.import_module("msvcrt")  # It only exists on Windows.
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if msvcrt.kbhit():
            key = msvcrt.getwch()
            if key in ("\0", "\xe0"):  # An arrow key: skip its second character.
                msvcrt.getwch()
                return []
            return [key] if key.isprintable() else []
        time.sleep(0.02)  # `msvcrt` cannot wait with a time limit.
    return []


def read_keys(keyboard: Keyboard, put: Put, stop: threading.Event) -> None:
    while not stop.is_set():
        for key in keyboard.read(0.1):
            put(KeyPressed(key))
        time.sleep(0.001)  # Let a thread that lends the keyboard take its lock.


def start_thread(function: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=function, args=arguments, daemon=True).start()


def _identify_folder(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


class CheckerThread:
    """A thread that runs one job at a time. A new job interrupts the current one."""

    def __init__(self, put: Put) -> None:
        self.put, self._jobs = put, queue.SimpleQueue[CheckerJob | None]()
        self.job: CheckerJob | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def begin(self, work: Callable[[], Iterable], subject: object = None) -> None:
        """Interrupt the current job and start a new one. `subject` becomes the job's `about`."""
        self.stop()
        self.job = CheckerJob(work, subject)
        self._jobs.put(self.job)

    def stop(self) -> None:
        if self.job is not None:
            with contextlib.suppress(OSError):  # The job has just finished.
                self.job.interrupt.set()
        self.job = None

    def close(self, seconds: float) -> None:
        """Interrupt the current job and end the thread. Wait at most `seconds` until it has ended."""
        self.stop()
        self._jobs.put(None)
        self._thread.join(seconds)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            error = None
            try:
                with allow_interrupt(job.interrupt):
                    for result in job.work():
                        self.put(JobResult(job, result))
            except (Exception, WaitInterrupted) as ended:
                error = ended
            finally:
                job.interrupt.close()
            self.put(JobEnded(job, error))
