"""The worker of one answer on systems that cannot fork; `autograder.boundary.zygote` starts it."""

import contextlib
import importlib
import os
import socket
import sys
from typing import Any

from .loop import serve_requests

resource: Any = None
with contextlib.suppress(ImportError):  # Windows has no module `resource`
    resource = importlib.import_module("resource")


def run_worker(settings: dict) -> None:
    word = sys.stdin.buffer.readline().strip()
    channel = socket.create_connection(("127.0.0.1", settings["port"]))
    channel.sendall(word)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # discard everything that is written to these descriptors
        os.dup2(null, standard)
    os.close(null)
    os.chdir(settings["home"])
    for name, value in settings["limits"].items() if resource else ():
        if hasattr(resource, f"RLIMIT_{name}") and name != "NPROC":  # NPROC counts all processes of the user
            with contextlib.suppress(ValueError, OSError):  # not every system supports all limits
                resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
    serve_requests(channel.makefile("rb"), channel.makefile("wb"))
