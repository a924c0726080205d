"""Workers, and the running zygotes that fork them.

Every request has a deadline, and a request that fails ends the worker. While the grader waits, it asks the zygote how
long the worker has waited for a CPU. That time does not count, because other processes cause it.
"""

import atexit
import contextlib
import contextvars
import os
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograder.boundary.zygote import FORK_SECONDS, SpawnedWorker, WorkerFailure, Zygote
from autograder.chapters.extras import require_libraries
from autograder.worker.wire import HEADER, MAX_REPLY_BYTES, MAX_TREE_BYTES, WireError, decode, encode

_current: contextvars.ContextVar["InterruptFlag | None"] = contextvars.ContextVar("interrupt", default=None)


class WaitInterrupted(BaseException):
    """Raised if a wait for a worker is interrupted. As a `BaseException`, it passes through handlers of errors."""


class InterruptFlag:
    """A flag that one thread sets to interrupt another thread's wait for a worker."""

    def __init__(self) -> None:
        self._setter, self._noticed = socket.socketpair()  # Selectors accept sockets on every system.

    def set(self) -> None:
        self._setter.send(b"!")

    def close(self) -> None:
        self._setter.close()
        self._noticed.close()

    def wait(self, channel: socket.socket, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:  # `select.select` handles only the first 1024 descriptors.
            for channel_or_event in (channel, self._noticed):
                selector.register(channel_or_event, selectors.EVENT_READ)
            readable = [key.fileobj for key, _ in selector.select(seconds)]
        if self._noticed in readable:
            raise WaitInterrupted
        if not readable:
            raise TimeoutError


@contextlib.contextmanager
def allow_interrupt(interrupt: InterruptFlag) -> Iterator[None]:
    """Let `interrupt` interrupt every wait for a worker inside this context."""
    token = _current.set(interrupt)
    try:
        yield
    finally:
        _current.reset(token)


def wait_until_readable(channel: socket.socket, seconds: float) -> None:
    """Wait for data, or raise `WaitInterrupted`. Outside `allow_interrupt`, only set the timeout of the next read."""
    channel.settimeout(seconds)
    if interrupt := _current.get():
        interrupt.wait(channel, seconds)


MOMENT_SECONDS = 0.1  # time after which the grader asks again how long a worker has waited for a CPU
LOOK_INTERVAL_SECONDS = 0.5  # time after which the grader also asks before it sends a message
MAX_TIMES_LONGER = 4  # multiple of its time limit that a request may take, including waits for a CPU


class WorkerEnded(Exception):
    """Raised if a worker has ended and cannot reply.

    `outcome` is the verdict. The message has the call as its subject. `reason` is a likely cause, or empty.
    """

    def __init__(self, outcome: str, message: str, reason: str = "", trace: Sequence[list] = ()) -> None:
        super().__init__(message)
        # `trace`: the answer's stack frames when the worker ended, in the format of `error["where"]`.
        self.outcome, self.reason, self.where = outcome, reason, trace

    @classmethod
    def from_timeout(cls, seconds: float, at: str = "", trace: Sequence[list] = ()) -> "WorkerEnded":
        return cls("timeout", f"gave no result within {seconds:.0f} seconds{at}", "Perhaps a loop never ends.", trace)


class Worker:
    """A connection to a worker. `waited` is the number of seconds for which its last request waited for a CPU."""

    waited = 0.0
    max_reply_bytes = MAX_REPLY_BYTES  # limit for the array data in one reply

    def __init__(self, zygote: Zygote, child: int, channel: socket.socket) -> None:
        self.zygote, self.child, self.channel, self.looked_at = zygote, child, channel, time.monotonic()
        self.is_closed, self._max_waited = False, 0.0
        self._waited_before: float | None = None
        try:
            self._receive_reply(time.monotonic() + FORK_SECONDS)
        except WaitInterrupted:
            self.close()
            raise
        except (OSError, WireError, EOFError) as error:
            self.close()
            raise WorkerFailure(f"a worker did not start ({type(error).__name__})") from None

    def ask(self, request: list, seconds: float, serve: Callable[[list], object] | None = None) -> Any:
        """Send a request and return its reply. `serve` handles requests that the worker makes before it replies."""
        deadline = self._begin_request(seconds)
        try:
            self._send(encode(request), deadline)
            reply = self._receive_reply(deadline)
            while serve and isinstance(reply, dict) and isinstance(reply.get("asks"), list):
                self._send(encode(serve(reply["asks"])), deadline)
                reply = self._receive_reply(deadline)
            return reply
        except WaitInterrupted:  # A late reply would be taken for the reply to the next request, so end the worker.
            self.close()
            raise
        except TimeoutError:
            self.close()
            raise WorkerEnded.from_timeout(seconds) from None
        except WireError as error:
            self.close()
            raise WorkerEnded("killed", f"wrote to the channel that belongs to the grader: {error}") from None
        except (OSError, EOFError):
            raise self._close_and_explain() from None

    def play_batch(self, message: bytes, seconds: float) -> bytes | None:
        """Run a batch and return the bytes of all replies. If some are missing, end the worker and return None."""
        deadline = self._begin_request(seconds)
        try:
            self._send(message, deadline)
            tree_size, size = HEADER.unpack(self._read_exactly(HEADER.size, deadline))
            if tree_size == 0 and size <= MAX_REPLY_BYTES:
                return bytes(self._read_exactly(size, deadline))
        except WaitInterrupted:
            self.close()
            raise
        except (OSError, EOFError, WorkerEnded):  # `OSError` includes `TimeoutError`.
            pass
        self.close()
        return None

    def _begin_request(self, seconds: float) -> float:
        self.waited, self._max_waited, self._waited_before = 0.0, (MAX_TIMES_LONGER - 1) * seconds, None
        return time.monotonic() + seconds

    def _close_and_explain(self) -> "WorkerEnded":
        status = self.close()
        if status is None and self.zygote.is_shared():  # No answer can end a shared zygote.
            raise WorkerFailure("the process that forks workers has ended")
        if status is None or status == -9:  # The worker was alive until it was killed here.
            return WorkerEnded("killed", "closed the channel that belongs to the grader")
        if status < 0:
            return WorkerEnded("killed", f"was ended by signal {-status}")
        return WorkerEnded("killed", f"ended its own process with exit code {status}")

    def _receive_reply(self, deadline: float) -> Any:
        tree_size, raw_size = HEADER.unpack(self._read_exactly(HEADER.size, deadline))
        if tree_size > MAX_TREE_BYTES or raw_size > self.max_reply_bytes:
            raise WireError("a message larger than the wire carries")
        return decode(self._read_exactly(tree_size, deadline), self._read_exactly(raw_size, deadline))

    def _read_exactly(self, size: int, deadline: float) -> bytearray:
        data, received = bytearray(size), 0
        view = memoryview(data)
        while received < size:
            moment = self._time_slice(deadline)
            try:
                wait_until_readable(self.channel, moment)
                count = self.channel.recv_into(view[received:])
            except TimeoutError:
                self._update_waited()
                continue
            if not count:
                raise EOFError
            received += count
        return data

    def _send(self, data: bytes, deadline: float) -> None:
        if time.monotonic() - self.looked_at > LOOK_INTERVAL_SECONDS:
            self._update_waited()
        view = memoryview(data)
        while view:
            self.channel.settimeout(self._time_slice(deadline))
            try:
                view = view[self.channel.send(view) :]
            except TimeoutError:
                self._update_waited()

    def _time_slice(self, deadline: float) -> float:
        """Return the number of seconds to wait for the next bytes. Raises `TimeoutError` after the deadline."""
        seconds_left = deadline + self.waited - time.monotonic()
        if seconds_left <= 0:
            raise TimeoutError
        return min(seconds_left, MOMENT_SECONDS)

    def _update_waited(self) -> None:
        self.looked_at = time.monotonic()
        seconds = self.zygote.read_waiting_time(self.child)
        first_waited = seconds if self._waited_before is None else self._waited_before
        self._waited_before, self.waited = first_waited, min(max(seconds - first_waited, 0.0), self._max_waited)

    def close(self) -> int | None:
        """End the worker. Return its exit code (for a signal, minus its number), or None if it is unknown."""
        if self.is_closed:
            return None
        self.is_closed = True
        self.channel.close()
        try:
            return self.zygote.end_worker(self.child)
        except (WorkerFailure, OSError):  # The zygote has ended, and so have its children.
            return None
        finally:
            if not self.zygote.is_shared():
                self.zygote.close()


NO_FORK = not (hasattr(os, "fork") and hasattr(socket, "send_fds"))

_zygotes: dict[tuple[str, ...], Zygote] = {}


def get_zygote(libraries: tuple[str, ...]) -> Zygote:
    """Return the running zygote with these libraries, or start one. Raises `MissingExtra` if a library is missing."""
    require_libraries(libraries, "This chapter")
    zygote = _zygotes.get(libraries)
    if zygote is None or not zygote.is_running():
        if zygote is not None:
            zygote.close()
        zygote = _zygotes[libraries] = (SpawnedWorker if NO_FORK else Zygote)(libraries)
    return zygote


def start_worker(libraries: tuple[str, ...], output_fd: int | None = None) -> Worker:
    """Start a worker for one answer. `output_fd`: descriptor of the file for its output."""
    zygote = get_zygote(libraries)
    worker = Worker(zygote, *zygote.fork(output_fd))
    if not zygote.is_shared():
        del _zygotes[libraries]  # This zygote runs only one worker.
    return worker


if hasattr(os, "register_at_fork"):  # A forked child must neither use nor end the zygotes of its parent.
    os.register_at_fork(after_in_child=_zygotes.clear)


@atexit.register
def close_zygotes() -> None:
    while _zygotes:
        with contextlib.suppress(OSError):
            _zygotes.popitem()[1].close()
