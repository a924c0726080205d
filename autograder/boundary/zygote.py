"""A zygote: a process that has imported what answers need, and forks a worker for each."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from typing import IO

from autograder.boundary import sandbox

START_SECONDS = 120.0  # Python, NumPy and torch, on a cold disk: longer means that our side is broken
FORK_SECONDS = 30.0
END_SECONDS = 2.0
NOTICE_SECONDS = 0.5  # for a worker whose channel is closed to notice, if it can


class NoWorker(RuntimeError):
    """A worker, or the process that forks workers, did not start or has gone, and no answer is to blame."""


class Zygote:
    layers: tuple[str, ...] = ()  # that its workers have

    def __init__(self, libraries: tuple[str, ...] = ()) -> None:
        self.folder = sandbox.make_home()
        home = self.folder or sandbox.HOME
        self.control, other = socket.socketpair()
        self.process = subprocess.Popen(
            sandbox.command(libraries, home),
            stdin=other.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder or "/",
            env=sandbox.environment(home),
            start_new_session=True,
        )
        other.close()
        self.errors, self.is_ready = pipe_of(self.process.stderr), False

    def wait_until_ready(self) -> None:
        if not self.is_ready:
            self.layers, self.is_ready = tuple(self._receive(START_SECONDS)["layers"]), True
            self.errors.close()

    def fork(self, printed: int | None = None) -> tuple[int, socket.socket]:
        """Number of a new child, which prints to this descriptor if there is one, and the channel to it."""
        self.wait_until_ready()
        ours, theirs = socket.socketpair()
        with theirs, contextlib.suppress(OSError):  # it has ended, and nothing will be received
            descriptors = [theirs.fileno()] if printed is None else [theirs.fileno(), printed]
            socket.send_fds(self.control, [b'{"do": "fork"}'], descriptors)
        return self._receive(FORK_SECONDS)["child"], ours

    def waited_by(self, child: int) -> float:
        if not self.is_shared():
            return 0.0  # it is the worker itself
        self.control.send(json.dumps({"do": "look", "child": child}).encode())
        return self._receive(FORK_SECONDS)["waited"]

    def end(self, child: int) -> int | None:
        """End a worker; its exit code, or minus the signal that ended it."""
        if not self.is_shared():
            return self._end_itself()
        self.control.send(json.dumps({"do": "end", "child": child}).encode())
        return self._receive(FORK_SECONDS)["status"]

    def _end_itself(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=NOTICE_SECONDS)
        status = self.process.poll()
        self._kill()
        return status

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def is_shared(self) -> bool:
        """Whether it forks for many answers: without namespaces, one answer could reach the next."""
        return "namespaces" in self.layers

    def close(self) -> None:
        self.control.close()
        if self.layers and not sandbox.is_available():  # its workers would outlive it, so it has to end them
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=END_SECONDS)
        self.process.kill()
        self.process.wait()
        self.errors.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _receive(self, seconds: float) -> dict:
        self.control.settimeout(seconds)
        try:
            message = self.control.recv(1 << 12)
        except OSError:
            message = b""
        if message:
            return json.loads(message)
        self.process.kill()
        self.process.wait()  # so that `is_running` knows
        printed = b"" if self.errors.closed else self.errors.read()
        raise NoWorker(f"the worker did not start: {printed.decode('utf-8', 'replace').strip()[-800:]}")


def pipe_of(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
