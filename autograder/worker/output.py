"""Where an answer prints to: a small file in memory, which takes the beginning for the learner to read.

The grader makes it and the worker writes into it, so that it can be read whatever became of the worker. It cannot grow,
and nobody waits for it.
"""

import io
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

MAX_BYTES = 8000  # bytes that the file takes: 2,000 characters of four


class _Beginning(io.RawIOBase):
    """Writes what fits and takes the rest as written: printing can neither fail nor fill anything."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1  # which leads nowhere, for those who want a real file

    def write(self, data: Any) -> int:
        data = memoryview(data).cast("B")
        try:
            room = MAX_BYTES - os.lseek(self.descriptor, 0, os.SEEK_CUR)
            if room > 0:
                os.write(self.descriptor, data[:room])
        except OSError:  # the answer has closed it
            pass
        return len(data)


def print_to(descriptor: int) -> None:
    """Have what Python prints land in this file; what is written to descriptors 1 and 2 goes nowhere."""
    plain: Callable[..., str] = warnings.formatwarning

    def format_on_one_line(message: Warning | str, *where: Any, **more: Any) -> str:
        return plain(" ".join(str(message).split()), *where, **more)

    # So that the whole of a warning can be told from what somebody prints: torch writes some on several lines.
    warnings.formatwarning = format_on_one_line
    for name in ("stdout", "stderr"):
        raw: Any = _Beginning(descriptor)  # without a buffer: what is printed is there at once
        stream = io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True)
        setattr(sys, name, stream)


MAX_PRINTED = 2000  # characters that are kept of one call, or of all that were made at once
BY_FILE, BY_MANY = b"", b"many"  # who printed, where it was not one call, which goes by what it was given


class Printed:
    """A file to print to, whose `descriptor` the workers of one answer share; they can only write to it."""

    def __init__(self) -> None:
        self._file: int | None = None
        self.descriptor: int | None = None
        if not hasattr(os, "pread"):  # Windows, where workers take no descriptors: what is printed is not kept
            return
        if hasattr(os, "memfd_create"):
            self._file, self.descriptor = _in_memory()
        else:
            self._file, path = tempfile.mkstemp()
            self.descriptor = os.open(path, os.O_WRONLY)
            os.unlink(path)

    def take(self) -> str:
        """The text since the last time, as it came: it may hold anything."""
        if self._file is None or self.descriptor is None:
            return ""
        size = os.lseek(self.descriptor, 0, os.SEEK_CUR)  # the position is shared with the workers
        if size == 0:
            return ""
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        return os.pread(self._file, min(size, MAX_BYTES), 0).decode("utf-8", "replace")[:MAX_PRINTED]

    def close(self) -> None:
        for descriptor in filter(None, (self.descriptor, self._file)):  # none is 0: that is standard input
            os.close(descriptor)


def _in_memory() -> tuple[int, int]:
    import fcntl  # noqa: PLC0415  (not there on every system)

    file = os.memfd_create("printed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(file, MAX_BYTES)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return file, os.open(f"/proc/self/fd/{file}", os.O_WRONLY)
