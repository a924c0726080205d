"""Test of the sandbox for `attn doctor`: a worker tries everything that an answer must not be able to do."""

import os
import socket
import textwrap
from collections.abc import Iterator
from pathlib import Path

from autograder.boundary import sandbox
from autograder.boundary.channel import WorkerEnded, close_zygotes, get_zygote, start_worker
from autograder.chapters import curriculum

SECONDS = 20.0

# promise -> body of a function that tries to break it, and returns True only if it succeeds.
_PROBES = {
    "reads no suite, solution or gradebook": "return bool(open({suite!r}).read())",
    "sees nothing of your home folder": "return len(os.listdir({home!r})) == {home_entries}",
    "knows nothing of your environment": "return not os.environ.keys() <= {variables!r}",
    "has no file descriptor except its channel": "return [os.dup(3) for _ in range(40)] != [*range(4, 44)]",
    "opens no socket": "socket.create_connection(('127.0.0.1', {port}), 2)\nreturn True",
    "sees no other process": "return any(n.isdigit() and int(n) != os.getpid() for n in os.listdir('/proc'))",
    "reaches none of your processes": "os.kill({pid}, 0)\nreturn True",
    "traces nothing": "return libc.ptrace(0, 0, 0, 0) == 0",
    "makes no namespaces": "return libc.unshare(0x10000000) == 0",
    "starts no program": "return subprocess.run([sys.executable, '-c', '']).returncode == 0",
    "writes to its own folder only": "open(os.path.join({packages!r}, 'doctor'), 'w')\nreturn True",
    "fills no disk": "open('big', 'wb').write(bytes({file_bytes}))\nreturn os.path.getsize('big') == {file_bytes}",
    "takes no more memory than its share": "return len(bytearray({memory_bytes})) > 0",
    "shares no memory that is not counted": "return libc.shmget(0, 4096, 0o1600) >= 0",
    "sees no terminals": "return bool(os.listdir('/dev/pts')) or os.open('/dev/ptmx', os.O_RDONLY) >= 0",
    "starts no process": "if os.fork() == 0:\n    os._exit(0)\nreturn True",
    "has its CPU time limited": "return resource.getrlimit(resource.RLIMIT_CPU)[1] in (resource.RLIM_INFINITY, -1)",
    "leaves no file to the next answer": "open(FILES[0], 'w').write('x')",
}
_SECOND = "return any(map(os.path.exists, FILES))"
_HELPERS = """
import ctypes, os, resource, socket, subprocess, sys
libc = ctypes.CDLL(None)
FOLDERS = filter(lambda folder: os.access(folder, os.W_OK), ("/dev/shm", "/tmp", "/var/tmp", os.getcwd()))
FILES = [os.path.join(folder, "doctor") for folder in FOLDERS]  # which another answer would know, too
"""
Check = tuple[str, bool, str]  # the promise, whether it holds, and what was found


def check_promises() -> Iterator[Check]:
    """Yield one check for each layer of the sandbox and for each of its promises."""
    close_zygotes()
    try:
        zygote = get_zygote(())
        zygote.wait_until_ready()
        yield "bubblewrap", sandbox.is_available(), sandbox.find_obstacle()
        for layer in ("namespaces", "landlock", "seccomp"):
            yield layer, layer in zygote.layers, "" if layer in zygote.layers else "not on this system"
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield from _try_probes(server.getsockname()[1])
    finally:
        close_zygotes()


def _try_probes(port: int) -> Iterator[Check]:
    home = Path.home()
    names = {
        "suite": str(next(curriculum.SUITES.glob("test_*.py"))),
        "home": str(home),
        "home_entries": len(os.listdir(home)) if os.access(home, os.R_OK) else -1,  # system users often have no home
        "variables": {*sandbox.build_environment(""), "PWD", "LC_CTYPE"},  # bubblewrap and Python set the last two
        "port": port,
        "pid": os.getpid(),
        "packages": sandbox.find_package_folders()[0],
        "file_bytes": sandbox.LIMITS["FSIZE"] + (1 << 20),
        "memory_bytes": sandbox.LIMITS["AS"] + (1 << 20),
    }
    for promise, body in _PROBES.items():
        got_through, detail = _try_probe(body.format(**names))
        if promise == "leaves no file to the next answer":
            got_through, detail = _try_probe(_SECOND)
        yield promise, not got_through, detail


def _try_probe(body: str) -> tuple[bool, str]:
    """Run a probe in a worker. Return whether it succeeded, and a description of what stopped it."""
    source = f"{_HELPERS}\ndef probe():\n{textwrap.indent(body, '    ')}\n"
    worker = start_worker(())
    try:
        worker.ask(["load", [("probe", 1, source)], False], SECONDS)
        reply = worker.ask(["call", "probe", [], {}], SECONDS)
    except WorkerEnded as ended:
        return False, f"it {ended}"
    finally:
        worker.close()
    error = reply.get("error")
    return reply.get("value") is True, f"{error['type']}: {error['message']}" if error else ""
