"""The grader's end of the wire: warm zygotes, and one worker an answer with a deadline for every message."""

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time

from autograder import lone, sandbox
from autograder.worker.wire import HEADER, MAX_ARRAY_BYTES, MAX_PLAYED_BYTES, MAX_TREE_BYTES, WireError, decode, encode

START_SECONDS = 120.0  # Python, NumPy and torch, on a cold disk: longer means that our side is broken
FORK_SECONDS = 30.0


class WorkerEnded(Exception):
    """The worker can answer no more. `outcome` is the verdict; the message, to follow a call, tells what it did."""

    def __init__(self, outcome, sentence):
        super().__init__(sentence)
        self.outcome = outcome


class Zygote:
    """A process that has imported what answers need and forks a worker for each.

    Attributes
    ----------
    layers : list of str
        What shuts its children in: see `autograder.worker.confine`.
    """

    def __init__(self, libraries=()):
        self.folder = sandbox.make_home()
        home = self.folder or sandbox.HOME
        self.control, other = socket.socketpair()
        self.process = subprocess.Popen(
            sandbox.command(libraries, home),
            stdin=other,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder or "/",
            env=sandbox.environment(home),
            start_new_session=True,
        )
        other.close()
        self.layers = None

    def wait_until_ready(self):
        """Block until it can fork; it starts while the grader does other things."""
        if self.layers is None:
            self.layers = self._receive(START_SECONDS)["layers"]
            self.process.stderr.close()

    def fork(self, printed=None):
        """Number of a new child, which prints to this descriptor if there is one, and the channel to it."""
        self.wait_until_ready()
        ours, theirs = socket.socketpair()
        with theirs, contextlib.suppress(OSError):  # it has ended, and nothing will be received
            descriptors = [theirs.fileno()] if printed is None else [theirs.fileno(), printed]
            socket.send_fds(self.control, [b'{"do": "fork"}'], descriptors)
        return self._receive(FORK_SECONDS)["child"], ours

    def end(self, child):
        """End a worker with all it started; its exit code, or minus the signal that ended it."""
        if not self.is_shared():
            return self._end_itself()
        self.control.send(json.dumps({"do": "end", "child": child}).encode())
        return self._receive(FORK_SECONDS)["status"]

    def _end_itself(self):
        with contextlib.suppress(subprocess.TimeoutExpired):  # its wire is closed: time enough to notice, if it can
            self.process.wait(timeout=0.5)
        status = self.process.poll()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        return status

    def is_running(self):
        """Whether it is there to fork."""
        return self.process.poll() is None

    def is_shared(self):
        """Whether it forks for many answers: without namespaces, one answer could reach the next."""
        return "namespaces" in self.layers

    def close(self):
        """End the zygote and all its workers."""
        self.control.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _receive(self, seconds):
        self.control.settimeout(seconds)
        try:
            message = self.control.recv(1 << 12)
        except OSError:
            message = b""
        if message:
            return json.loads(message)
        self.process.kill()
        self.process.wait()  # so that `is_running` knows
        printed = b"" if self.process.stderr.closed else self.process.stderr.read()
        raise RuntimeError(f"the worker did not start: {printed.decode('utf-8', 'replace').strip()[-800:]}")


class Worker:
    """One forked child. Every request either returns a reply or raises `WorkerEnded`."""

    def __init__(self, zygote, child, channel):
        self.zygote, self.child, self.channel = zygote, child, channel
        try:
            self._receive(time.monotonic() + FORK_SECONDS)
        except (OSError, WireError, EOFError) as error:
            self.close()
            raise RuntimeError(f"a worker did not start ({type(error).__name__})") from None

    def ask(self, request, seconds):
        """Send a request and wait for its reply."""
        deadline = time.monotonic() + seconds
        try:
            self.channel.settimeout(seconds)
            self.channel.sendall(encode(request))
            return self._receive(deadline)
        except TimeoutError:
            self.close()
            sentence = f"gave no result within {seconds:.0f} seconds: perhaps a loop never ends"
            raise WorkerEnded("timeout", sentence) from None
        except WireError as error:
            self.close()
            raise WorkerEnded("killed", f"wrote to the channel that belongs to the grader: {error}") from None
        except (OSError, EOFError):
            raise self._ending() from None

    def play(self, message, seconds):
        """Have a script played; the bytes of all replies, or None where it ends the worker."""
        deadline = time.monotonic() + seconds
        try:
            self.channel.settimeout(seconds)
            self.channel.sendall(message)
            tree_size, size = HEADER.unpack(self._exactly(HEADER.size, deadline))
            if tree_size == 0 and size <= MAX_PLAYED_BYTES:
                return bytes(self._exactly(size, deadline))
        except (OSError, EOFError):  # TimeoutError is one
            pass
        self.close()
        return None

    def _ending(self):
        status = self.close()
        if status is None and self.zygote.is_shared():  # no answer can reach it
            raise RuntimeError("the process that forks workers has ended")
        if status is None or status == -9:  # it lived until we ended it
            return WorkerEnded("killed", "closed the channel that belongs to the grader")
        if status < 0:
            return WorkerEnded("killed", f"was ended by signal {-status}")
        return WorkerEnded("killed", f"ended its own process with exit code {status}")

    def _receive(self, deadline):
        tree_size, raw_size = HEADER.unpack(self._exactly(HEADER.size, deadline))
        if tree_size > MAX_TREE_BYTES or raw_size > MAX_ARRAY_BYTES:
            raise WireError("a message larger than the wire carries")
        return decode(self._exactly(tree_size, deadline), self._exactly(raw_size, deadline))

    def _exactly(self, size, deadline):
        data, at = bytearray(size), 0
        view = memoryview(data)
        while at < size:
            left = deadline - time.monotonic()
            if left <= 0:  # also where bytes keep dripping in
                raise TimeoutError
            self.channel.settimeout(left)
            count = self.channel.recv_into(view[at:])
            if not count:
                raise EOFError
            at += count
        return data

    def close(self):
        """End the worker and everything it started; its exit code, or minus the signal that ended it."""
        if self.child is None:
            return None
        child, self.child = self.child, None
        self.channel.close()
        try:
            return self.zygote.end(child)
        except (RuntimeError, OSError):  # the zygote is gone, and its children with it
            return None
        finally:
            if not self.zygote.is_shared():
                self.zygote.close()


_zygotes = {}


def zygote_for(libraries):
    """The warm zygote that has imported these libraries, perhaps still starting."""
    zygote = _zygotes.get(libraries)
    if zygote is None or not zygote.is_running():
        if zygote is not None:
            zygote.close()
        zygote = _zygotes[libraries] = (lone.Lone if lone.NEEDED else Zygote)(libraries)
    return zygote


def new_worker(libraries, printed=None):
    """A worker for one answer, which prints to this descriptor if there is one."""
    zygote = zygote_for(libraries)
    worker = Worker(zygote, *zygote.fork(printed))
    if not zygote.is_shared():
        del _zygotes[libraries]  # it is this worker's alone
    return worker


@atexit.register
def close_zygotes():
    """End all zygotes of this process."""
    while _zygotes:
        with contextlib.suppress(OSError):
            _zygotes.popitem()[1].close()
