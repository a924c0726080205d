"""The grader's side of zygotes, the processes that become workers.

A zygote imports the libraries that answers need, and forks a worker for each answer. If the system cannot fork or pass
sockets between processes, each worker is a new process. It connects to a local port and sends a token that it has read
from its standard input, so that no other process can pretend to be the worker.
"""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from typing import IO

from autograder.boundary import sandbox

START_SECONDS = 120.0  # limit for importing NumPy and torch, even from a slow disk
FORK_SECONDS = 30.0
END_SECONDS = 2.0
NOTICE_SECONDS = 0.5  # time for a worker to notice that its channel is closed


class WorkerFailure(RuntimeError):
    """Raised if a worker or its zygote did not start or has ended for a reason other than an answer."""


class Zygote:
    layers: tuple[str, ...] = ()  # layers of confinement that its workers have

    def __init__(self, libraries: tuple[str, ...] = ()) -> None:
        self.control, zygote_end = socket.socketpair()
        with zygote_end:
            self._start_process(libraries, zygote_end.fileno())
        self.is_ready = False

    def _start_process(self, libraries: tuple[str, ...], stdin: int, **settings: object) -> None:
        self.folder = sandbox.make_home()
        home = self.folder or sandbox.HOME
        self.process = subprocess.Popen(
            sandbox.build_command(libraries, home, **settings),
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder or "/",
            env=sandbox.build_environment(home),
            start_new_session=True,
        )
        self.errors = require_pipe(self.process.stderr)

    def wait_until_ready(self) -> None:
        if not self.is_ready:
            self.layers, self.is_ready = tuple(self._receive(START_SECONDS)["layers"]), True
            self.errors.close()

    def fork(self, output_fd: int | None = None) -> tuple[int, socket.socket]:
        """Fork a worker, whose output goes to the descriptor `output_fd`. Return its PID and its channel."""
        self.wait_until_ready()
        own_end, worker_end = socket.socketpair()
        with worker_end, contextlib.suppress(OSError):  # If the zygote has ended, `_receive` reports it.
            descriptors = [worker_end.fileno()] if output_fd is None else [worker_end.fileno(), output_fd]
            socket.send_fds(self.control, [b'{"do": "fork"}'], descriptors)
        return self._receive(FORK_SECONDS)["child"], own_end

    def read_waiting_time(self, child: int) -> float:
        if not self.is_shared():
            return 0.0  # This zygote is the worker itself and cannot report its own waits.
        return self._request("look", child)["waited"]

    def end_worker(self, child: int) -> int | None:
        """End a worker. Return its exit code (for a signal, minus its number), or None if it is unknown."""
        if not self.is_shared():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=NOTICE_SECONDS)
            status = self.process.poll()
            self._kill()
            return status
        return self._request("end", child)["status"]

    def _request(self, command: str, child: int) -> dict:
        self.control.send(json.dumps({"do": command, "child": child}).encode())
        return self._receive(FORK_SECONDS)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def is_shared(self) -> bool:
        """Return whether this zygote forks many workers. Only namespaces, which separate workers, make that safe."""
        return "namespaces" in self.layers

    def close(self) -> None:
        self.control.close()
        if self.layers and not sandbox.is_available():  # Outside of bubblewrap, workers could outlive their zygote.
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
        raise self._explain_end()

    def _explain_end(self) -> WorkerFailure:
        self.process.kill()
        self.process.wait()  # so that `is_running` returns False
        output = b"" if self.errors.closed else self.errors.read()
        return WorkerFailure(f"the worker did not start: {output.decode('utf-8', 'replace').strip()[-800:]}")


def require_pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


class SpawnedWorker(Zygote):
    """A zygote that does not fork but becomes the only worker itself, for systems that cannot fork."""

    def __init__(self, libraries: tuple[str, ...] = ()) -> None:
        self.channel: socket.socket | None = None
        self.word = secrets.token_hex(16).encode()
        self.control = self.listener = socket.create_server(("127.0.0.1", 0))
        self._start_process(libraries, subprocess.PIPE, port=self.listener.getsockname()[1])
        # If the process has ended, `_accept_worker` reports it.
        with contextlib.suppress(OSError), require_pipe(self.process.stdin) as line:
            line.write(self.word + b"\n")

    def wait_until_ready(self) -> None:
        self.channel = self.channel or self._accept_worker()

    def _accept_worker(self) -> socket.socket:
        deadline = time.monotonic() + START_SECONDS
        self.listener.settimeout(0.2)
        while self.is_running() and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                caller, _ = self.listener.accept()
                caller.settimeout(1.0)
                if caller.recv(len(self.word)) == self.word:
                    return caller
                caller.close()
        raise self._explain_end()

    def fork(self, output_fd: int | None = None) -> tuple[int, socket.socket]:
        """Return the worker's PID and its channel. Output is discarded."""
        self.channel = self.channel or self._accept_worker()
        return self.process.pid, self.channel

    def _kill(self) -> None:
        self.process.kill()

    def close(self) -> None:
        if self.channel is not None:
            self.channel.close()
        super().close()
