"""Tests what the sandbox promises by trying it: a worker does what no answer may do, and we look whether it could."""

import contextlib
import os
import socket
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.boundary import sandbox
from autograder.boundary.channel import Worker, WorkerEnded
from autograder.boundary.zygotes import close_zygotes, new_worker, zygote_for
from autograder.chapters import curriculum

CANARY = "ATTN_DOCTOR_CANARY"
SECONDS = 20.0

# Each body returns True where it got through; refused, it raises or returns False.
_PROBES = {
    "reads no suite, solution or gradebook": "return bool(open({suite!r}).read())",
    "sees nothing of your home folder": "return len(os.listdir({home!r})) == {home_entries}",
    "knows nothing of your environment": "return {canary!r} in os.environ",
    "holds no descriptor but its wire": "return any(is_open(number) for number in range(4, 64))",
    "opens no socket": "socket.create_connection(('127.0.0.1', {port}), 2)\nreturn True",
    "sees no other process": "return any(n.isdigit() and int(n) != os.getpid() for n in os.listdir('/proc'))",
    "reaches no process of yours": "os.kill({pid}, 0)\nreturn True",
    "traces nothing": "return libc.ptrace(0, 0, 0, 0) == 0",
    "makes no namespaces": "return libc.unshare(0x10000000) == 0",
    "starts no program": "return subprocess.run([sys.executable, '-c', '']).returncode == 0",
    "writes to its own folder only": "open(os.path.join({packages!r}, 'doctor'), 'w')\nreturn True",
    "fills no disk": "open('big', 'wb').write(bytes({file_bytes}))\nreturn os.path.getsize('big') == {file_bytes}",
    "takes no more memory than its share": "return len(bytearray({memory_bytes})) > 0",
    "shares no memory that is not counted": "return libc.shmget(0, 4096, 0o1600) >= 0",
    "sees no terminals": "return bool(os.listdir('/dev/pts')) or os.open('/dev/ptmx', os.O_RDONLY) >= 0",
    "starts no more than a few processes": "return swarm(200)",
    "has its CPU time limited": "return resource.getrlimit(resource.RLIMIT_CPU)[1] in (resource.RLIM_INFINITY, -1)",
    "leaves no file to the next answer": "open(shared('doctor'), 'w').write('x')",
    "leaves no process behind": "return daemon()",
}
_TOGETHER = "takes no more memory than its share in all its processes together"
_FAMILY = "if os.fork() == 0:\n    kept = b'x' * (64 << 20)\n    time.sleep(60)\ntime.sleep(0.5)\nreturn True"
_SECOND = "return os.path.exists(shared('doctor'))"
_HELPERS = '''
import ctypes, os, resource, signal, socket, subprocess, sys, tempfile, time
libc = ctypes.CDLL(None)

def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True

def shared(name):
    """A place that another answer would know, too."""
    for folder in ("/dev/shm", "/tmp", "/var/tmp", os.getcwd()):
        if os.access(folder, os.W_OK):
            return os.path.join(folder, name)

def swarm(count):
    started = []
    try:
        for _ in range(count):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            started.append(child)
    finally:
        for child in started:
            os.kill(child, signal.SIGKILL)
    return True

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            libc.prctl(15, b"attn-{pid}", 0, 0, 0)  # its name, one that no other doctor gives
            time.sleep(60)
        os._exit(0)
    time.sleep(0.2)
'''


@dataclass(frozen=True)
class Promise:
    promise: str
    holds: bool
    found: str


def examine() -> Iterator[Promise]:
    """Try every promise; yields a `Promise` for each, the layers first."""
    close_zygotes()
    os.environ[CANARY] = "1"
    try:
        zygote = zygote_for(())
        zygote.wait_until_ready()
        has_bubblewrap = sandbox.is_available()
        yield Promise("bubblewrap", has_bubblewrap, "" if has_bubblewrap else "not installed, or refused")
        for layer in ("namespaces", "landlock", "seccomp"):
            yield Promise(layer, layer in zygote.layers, "" if layer in zygote.layers else "not on this system")
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield from _try_all(server.getsockname()[1])
        weighed = _is_weighed()
        detail = "a watcher in the grader, which ends it" if weighed else "each process has its own limit alone"
        yield Promise(_TOGETHER, weighed, detail)
    finally:
        os.environ.pop(CANARY)
        close_zygotes()


def _try_all(port: int) -> Iterator[Promise]:
    home = Path.home()
    names = {
        "suite": str(next(curriculum.SUITES.glob("test_*.py"))),
        "home": str(home),
        "home_entries": len(os.listdir(home)) if os.access(home, os.R_OK) else -1,  # services often have none
        "canary": CANARY,
        "port": port,
        "pid": os.getpid(),
        "packages": sandbox.packages()[0],
        "file_bytes": sandbox.LIMITS["FSIZE"] + (1 << 20),
        "memory_bytes": sandbox.LIMITS["AS"] + (1 << 20),
    }
    for promise, body in _PROBES.items():
        got_through, detail = _attempt(body.format(**names))
        if promise == "leaves no file to the next answer":
            got_through, detail = _attempt(_SECOND)
        if promise == "leaves no process behind":
            got_through, detail = _is_running(f"attn-{names['pid']}"), ""
        yield Promise(promise, not got_through, detail)


def _attempt(body: str) -> tuple[bool, str]:
    worker = new_worker(())
    try:
        reply = _probe(worker, body)
    except WorkerEnded as ended:
        return False, f"it {ended}"
    finally:
        worker.close()
    error = reply.get("error")
    return reply.get("value") is True, f"{error['type']}: {error['message']}" if error else ""


def _probe(worker: Worker, body: str) -> dict:
    source = f"{_HELPERS}\ndef probe():\n{textwrap.indent(body, '    ')}\n"
    worker.ask(["load", [("probe", 1, source)], False], SECONDS)
    return worker.ask(["call", "probe", [], {}], SECONDS)


def _is_weighed() -> bool:
    worker = new_worker(())
    try:
        before = worker.zygote.look_at(worker.child)[0]
        _probe(worker, _FAMILY)
        return worker.zygote.look_at(worker.child)[0] - before > 64 << 20
    finally:
        worker.close()


def _is_running(name: str) -> bool:
    for file in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if file.read_text().strip() == name:
                return True
    return False
