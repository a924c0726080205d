"""Workers without fork: where the system has none, or passes no sockets between processes, each starts from nothing.

The worker connects back to a port of this machine only, and shows a word that it was given on its
standard input: nobody else can take its place.
"""

import contextlib
import secrets
import socket
import subprocess
import time

from autograder.boundary import sandbox
from autograder.boundary.zygote import START_SECONDS, NoWorker, Zygote, pipe_of


class Spawned(Zygote):
    """A process that becomes the worker of one answer."""

    def __init__(self, libraries: tuple[str, ...] = ()) -> None:
        self.folder, self.word = sandbox.make_home(), secrets.token_hex(16).encode()
        self.channel: socket.socket | None = None
        self.control = self.listener = socket.create_server(("127.0.0.1", 0))
        home = self.folder or sandbox.HOME
        self.process = subprocess.Popen(
            sandbox.command(libraries, home, port=self.listener.getsockname()[1]),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=sandbox.environment(home),
        )
        self.errors = pipe_of(self.process.stderr)
        with contextlib.suppress(OSError), pipe_of(self.process.stdin) as line:  # it has ended: `_connection` says so
            line.write(self.word + b"\n")

    def wait_until_ready(self) -> None:
        self.channel = self.channel or self._connection()

    def _connection(self) -> socket.socket:
        deadline = time.monotonic() + START_SECONDS
        self.listener.settimeout(0.2)
        while True:
            with contextlib.suppress(TimeoutError):
                caller, _ = self.listener.accept()
                if _first_bytes(caller, len(self.word)) == self.word:
                    return caller
                caller.close()
            if not self.is_running() or time.monotonic() > deadline:
                self.process.kill()
                printed = self.errors.read().decode("utf-8", "replace")
                raise NoWorker(f"the worker did not start: {printed.strip()[-800:]}")

    def fork(self, printed: int | None = None) -> tuple[int, socket.socket]:
        """Itself: number of the process, and the channel to it. What it prints goes nowhere."""
        self.channel = self.channel or self._connection()
        return self.process.pid, self.channel

    def _kill(self) -> None:
        self.process.kill()

    def close(self) -> None:
        if self.channel is not None:
            self.channel.close()
        super().close()


def _first_bytes(caller: socket.socket, size: int) -> bytes:
    caller.settimeout(1.0)
    data = b""
    with contextlib.suppress(OSError):
        while len(data) < size and (more := caller.recv(size - len(data))):
            data += more
    return data
