"""Ends a wait for a worker from another thread: what is being judged there is no longer wanted."""

import contextlib
import contextvars
import select
import socket
from collections.abc import Iterator

_current: contextvars.ContextVar["Interrupt | None"] = contextvars.ContextVar("interrupt", default=None)


class Interrupted(BaseException):
    """The wait has been ended. No error: whatever handles errors of the kit or of an answer lets it through."""


class Interrupt:
    """Something that one thread sets and that another one, waiting for a worker, notices at once."""

    def __init__(self) -> None:
        self._setter, self._noticed = socket.socketpair()  # `select` knows sockets on every system

    def set(self) -> None:
        self._setter.send(b"!")

    def close(self) -> None:
        self._setter.close()
        self._noticed.close()

    def wait(self, channel: socket.socket, seconds: float) -> None:
        """Wait until a channel can be read, so many seconds at most; `Interrupted` where this has been set."""
        none: list[socket.socket] = []
        readable, _, _ = select.select([channel, self._noticed], none, none, seconds)
        if self._noticed in readable:
            raise Interrupted
        if not readable:
            raise TimeoutError


@contextlib.contextmanager
def interruptible(interrupt: Interrupt) -> Iterator[None]:
    """While open, this thread waits for workers only until the interrupt is set."""
    token = _current.set(interrupt)
    try:
        yield
    finally:
        _current.reset(token)


def wait_for(channel: socket.socket, seconds: float) -> None:
    """Wait until a channel can be read; `TimeoutError` where it takes longer, at the latest when one reads from it."""
    channel.settimeout(seconds)
    if interrupt := _current.get():
        interrupt.wait(channel, seconds)
