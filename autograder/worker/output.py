"""The file for an answer's output: small, in memory, and limited to the beginning of the output.

The grader creates it and the worker writes to it, so it can be read even if the worker crashes. Unlike a pipe, it
never blocks, and it cannot grow beyond its limit.
"""

import io
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

MAX_BYTES = 8000  # enough for `MAX_PRINTED` characters of four bytes each


class _TruncatedOutput(io.RawIOBase):
    """A stream that keeps the beginning of the output and ignores the rest, so that printing never fails."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1  # For code that needs a descriptor. Output that is written to it is discarded.

    def write(self, data: Any) -> int:
        data = memoryview(data).cast("B")
        try:
            room = MAX_BYTES - os.lseek(self.descriptor, 0, os.SEEK_CUR)
            if room > 0:
                os.write(self.descriptor, data[:room])
        except OSError:  # The answer has closed the descriptor.
            pass
        return len(data)


def redirect_output(descriptor: int) -> None:
    """Redirect `sys.stdout` and `sys.stderr` to this descriptor."""
    original_format: Callable[..., str] = warnings.formatwarning

    def format_on_one_line(message: Warning | str, *arguments: Any, **options: Any) -> str:
        return original_format(" ".join(str(message).split()), *arguments, **options)

    # torch writes some warnings on several lines. On one line, a pattern can distinguish them from printed text.
    warnings.formatwarning = format_on_one_line
    for name in ("stdout", "stderr"):
        raw: Any = _TruncatedOutput(descriptor)  # unbuffered, so that no output is lost if the worker ends
        stream = io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True)
        setattr(sys, name, stream)


MAX_PRINTED = 2000  # characters of output that are kept for one call, or for a batch
BY_FILE, BY_MANY = b"", b"many"  # origin of output: the file, or several calls; a single call's origin is its inputs


class OutputFile:
    """A file for the output of one answer. The answer's workers inherit `descriptor`, which is write-only."""

    def __init__(self) -> None:
        self._file: int | None = None
        self.descriptor: int | None = None
        if not hasattr(os, "pread"):  # On Windows, workers inherit no descriptors, so output is not kept.
            return
        if hasattr(os, "memfd_create"):
            self._file, self.descriptor = _make_memory_file()
        else:
            self._file, path = tempfile.mkstemp()
            self.descriptor = os.open(path, os.O_WRONLY)
            os.unlink(path)

    def pop_text(self) -> str:
        """Return the text that was printed since the last call of this method, and remove it from the file."""
        if self._file is None or self.descriptor is None:
            return ""
        size = os.lseek(self.descriptor, 0, os.SEEK_CUR)  # All workers of an answer share this position.
        if size == 0:
            return ""
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        return os.pread(self._file, min(size, MAX_BYTES), 0).decode("utf-8", "replace")[:MAX_PRINTED]

    def close(self) -> None:
        # `filter` drops None. It would also drop 0, but that is standard input, and never one of these descriptors.
        for descriptor in filter(None, (self.descriptor, self._file)):
            os.close(descriptor)


def _make_memory_file() -> tuple[int, int]:
    import fcntl  # noqa: PLC0415  (missing on some systems)

    file = os.memfd_create("printed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(file, MAX_BYTES)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return file, os.open(f"/proc/self/fd/{file}", os.O_WRONLY)
