"""A program in a real terminal, to which tests send keys and whose output they read."""

import contextlib
import os
import pty
import re
import selectors
import signal
import subprocess
import sys
import termios
import time

SECONDS = 120  # limit for one wait, even on a busy machine
FAULT = "An internal error"  # if this appears, waiting is pointless
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class PseudoTerminal:
    def __init__(self, *command, cwd, **environment):
        self.leader, self.follower = pty.openpty()
        kept = {
            key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM")
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *map(str, command)],
            cwd=cwd,
            env=kept | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"} | environment,
            stdin=self.follower,
            stdout=self.follower,
            stderr=self.follower,
            start_new_session=True,
        )
        self.raw, self.at = "", 0
        self.selector = selectors.DefaultSelector()  # `select.select` handles only the first 1024 descriptors.
        self.selector.register(self.leader, selectors.EVENT_READ)

    def wait_for(self, pattern):
        """Read until a pattern appears. Return the output since the last match, without control codes."""
        end = time.monotonic() + SECONDS
        while not (results := re.compile(pattern, re.DOTALL).search(self._plain(), self.at)):
            assert FAULT not in self._plain()[self.at :], self._plain()[self.at :]
            left = end - time.monotonic()
            if self.selector.select(min(max(left, 0), 1)):
                self.raw += os.read(self.leader, 1 << 16).decode("utf-8", "replace")
            else:
                assert left > 0 and self.process.poll() is None, f"no {pattern!r} in {self._plain()[self.at :]!r}"
        shown, self.at = self._plain()[self.at : results.end()], results.end()
        return shown

    def type(self, keys):
        os.write(self.leader, keys.encode())

    def press(self, keys, pattern):
        """Press keys, read until a pattern appears, and return the result of `wait_for`."""
        self.type(keys)
        return self.wait_for(pattern)

    def quit(self):
        """Type `q`, which ends `attn watch`."""
        self.type("q")
        assert self.end() == 0

    def modes(self):
        return termios.tcgetattr(self.follower)[3]

    def end(self):
        """Wait until the program ends, and return its exit code."""
        return self.process.wait(timeout=SECONDS)

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.leader)
        os.close(self.follower)

    def _plain(self):
        return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]|\x1b\]8;[^\x1b]*\x1b\\", "", self.raw).replace("\r", "")
