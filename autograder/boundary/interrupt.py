"""Ends a wait for a worker from another thread: what is being judged there is no longer wanted."""

import contextlib
import contextvars
import selectors
import socket
from collections.abc import Iterator

_current: contextvars.ContextVar["Interrupt | None"] = contextvars.ContextVar("interrupt", default=None)


class Interrupted(BaseException):
    """The wait has been ended. No error: whatever handles errors of the kit or of an answer lets it through."""


class Interrupt:
    """Something that one thread sets and that another one, waiting for a worker, notices at once."""

    def __init__(self) -> None:
        self._setter, self._noticed = socket.socketpair()  # sockets can be waited for on every system

    def set(self) -> None:
        self._setter.send(b"!")

    def close(self) -> None:
        self._setter.close()
        self._noticed.close()

    def wait(self, channel: socket.socket, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:  # `select` itself knows the first 1024 descriptors alone
            for each in (channel, self._noticed):
                selector.register(each, selectors.EVENT_READ)
            readable = [key.fileobj for key, _ in selector.select(seconds)]
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
