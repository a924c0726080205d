"""The grader's end of the wire: one worker process, a deadline for every message."""

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

from autograder import sandbox
from autograder.worker.wire import HEADER, MAX_ARRAY_BYTES, MAX_TREE_BYTES, WireError, decode, encode

START_SECONDS = 60.0  # Python and NumPy, on a cold disk: longer means that our side is broken
KEPT_OUTPUT = 64 << 10  # bytes of what an answer prints; the rest is read and dropped


class WorkerEnded(Exception):
    """The worker can answer no more. `outcome` is the verdict; the message, to follow a call, tells what it did."""

    def __init__(self, outcome, sentence):
        super().__init__(sentence)
        self.outcome = outcome


class WorkerProcess:
    """A running worker. Every request either returns a reply or raises `WorkerEnded`.

    Parameters
    ----------
    libraries : tuple of str
        What it imports before it is ready, so that an answer's own deadline does not pay for that.
    """

    def __init__(self, libraries=()):
        self.folder = tempfile.mkdtemp(prefix="answer-")
        self.process = subprocess.Popen(
            sandbox.command(libraries),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=sandbox.environment(self.folder),
            start_new_session=True,
        )
        self.output = bytearray()
        self.requests, self.replies = queue.Queue(), queue.Queue()
        # Both threads may outlive a worker whose descendants hold its pipes; as daemons they harm nobody.
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._exchange, self._drain)]
        for thread in self.threads:
            thread.start()

    def wait_until_ready(self):
        """Block until the worker listens; its interpreter starts while the grader does other things."""
        try:
            return self._next_reply(START_SECONDS)
        except WorkerEnded as ended:
            printed = self.output.decode("utf-8", "replace").strip()
            raise RuntimeError(f"the worker did not start: {ended} {printed[-800:]}") from None

    def ask(self, request, seconds):
        """Send a request and wait for its reply."""
        self.requests.put(encode(request))
        return self._next_reply(seconds)

    def _next_reply(self, seconds):
        try:
            reply = self.replies.get(timeout=seconds)
        except queue.Empty:
            self.close()
            raise WorkerEnded(
                "timeout", f"gave no result within {seconds:.0f} seconds: perhaps a loop never ends"
            ) from None
        if isinstance(reply, Exception):
            raise self._ending(reply)
        return reply

    def _ending(self, error):
        if isinstance(error, WireError):
            self.close()
            return WorkerEnded("killed", f"wrote to the channel that belongs to the grader: {error}")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=1)
        code = self.process.returncode
        self.close()
        if code is None:
            return WorkerEnded("killed", "closed the channel that belongs to the grader")
        if code < 0:
            return WorkerEnded("killed", f"was ended by signal {-code}")
        return WorkerEnded("killed", f"ended its own process with exit code {code}")

    def _exchange(self):
        """Write requests and read replies, away from the thread that keeps the deadline."""
        request = b""
        while request is not None:
            try:
                self.process.stdin.write(request)
                self.process.stdin.flush()
                self.replies.put(self._read_reply())
            except Exception as error:
                self.replies.put(error)
                return
            request = self.requests.get()

    def _read_reply(self):
        stream = self.process.stdout
        tree_size, raw_size = HEADER.unpack(_exactly(stream, HEADER.size))
        if tree_size > MAX_TREE_BYTES or raw_size > MAX_ARRAY_BYTES:
            raise WireError("a message larger than the wire carries")
        return decode(_exactly(stream, tree_size), _exactly(stream, raw_size))

    def _drain(self):
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(self.process.stderr.fileno(), 1 << 16):
                self.output += part[: max(0, KEPT_OUTPUT - len(self.output))]

    def close(self):
        """End the worker and everything in its process group, and remove its folder."""
        self.requests.put(None)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)
        for thread in self.threads:
            thread.join(timeout=1)
        if not any(thread.is_alive() for thread in self.threads):
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                with contextlib.suppress(OSError):
                    stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
