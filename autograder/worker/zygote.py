"""The zygote, a process that forks a child for each answer, and ends it on request.

The grader sends three commands: ``fork`` with one end of a socket, which the child uses for its messages, ``look``,
which returns how long a child has waited for a CPU, and ``end``. Each child is the first process of a new process
namespace. If the system has no namespaces, the zygote does not fork, but becomes the only worker itself.
"""

import contextlib
import fcntl
import gc
import json
import os
import socket
import sys
import warnings
from typing import Any, NoReturn

import numpy as np

from .confine import ProcessConfinement, make_thread_ban
from .loop import discard_standard_streams, serve_requests
from .output import redirect_output
from .runner import Runner
from .wire import decode_message, encode

MESSAGE_BYTES = 1 << 12
WIRE_DESCRIPTOR = 3  # descriptor of the socket to the grader; the next descriptor is for output


def run_worker(settings: dict) -> None:
    control = socket.socket(fileno=os.dup(0))
    confinement = ProcessConfinement(settings)
    _warm_up_libraries(settings["libraries"])
    gc.collect()
    gc.freeze()  # Otherwise, the first garbage collection in each child would copy all present objects.
    control.send(json.dumps({"layers": confinement.layers}).encode())
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 2)
        if not message:
            for child in list(confinement.children):
                confinement.kill(child)
            return
        request = json.loads(message)
        if request["do"] == "fork":
            # Without namespaces, an answer could reach later answers, so this process runs only one.
            if "namespaces" not in confinement.layers:
                control.send(json.dumps({"child": os.getpid()}).encode())
                _become_worker(control, descriptors, confinement)
            child = confinement.fork()
            if child == 0:
                _become_worker(control, descriptors, confinement)
            for descriptor in descriptors:
                os.close(descriptor)
            control.send(json.dumps({"child": child}).encode())
        elif request["do"] == "look":
            control.send(json.dumps({"waited": _read_cpu_wait_seconds(request["child"])}).encode())
            _lower_priority_of_threads(request["child"])
        else:
            control.send(json.dumps({"status": confinement.kill(request["child"])}).encode())


def _read_cpu_wait_seconds(pid: int) -> float:
    """Return the seconds for which a process's first thread has waited for a CPU, or 0 if they are unknown."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError):  # The process has ended, or the kernel does not report the time.
        return 0.0


def _lower_priority_of_threads(process: int) -> None:
    """Give all threads except the first the lowest priority, so that an answer gets only one thread's CPU share."""
    if not hasattr(os, "SCHED_IDLE"):
        return
    with contextlib.suppress(OSError):  # The process may have ended.
        for thread in map(int, os.listdir(f"/proc/{process}/task")):
            if thread != process:
                with contextlib.suppress(OSError):
                    os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))


def _become_worker(control: socket.socket, descriptors: list[int], confinement: ProcessConfinement) -> NoReturn:
    """Turn a child into a worker. `descriptors`: the socket to the grader and, optionally, a file for output."""
    try:
        _move_descriptors(control, descriptors)
        confinement.confine_process()
        serve_requests(os.fdopen(WIRE_DESCRIPTOR, "rb", closefd=False), os.fdopen(WIRE_DESCRIPTOR, "wb", closefd=False))
    except BaseException:  # The grader notices that the socket is closed.
        os._exit(70)


def _move_descriptors(control: socket.socket, descriptors: list[int]) -> None:
    """Move these descriptors to `WIRE_DESCRIPTOR` and above, close all others, and discard standard output."""
    copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, WIRE_DESCRIPTOR + len(descriptors)) for descriptor in descriptors]
    for number, descriptor in enumerate(copies, WIRE_DESCRIPTOR):
        os.dup2(descriptor, number)
    control.detach()
    os.closerange(WIRE_DESCRIPTOR + len(descriptors), min(os.sysconf("SC_OPEN_MAX"), 1 << 16))
    discard_standard_streams()
    if len(descriptors) > 1:
        redirect_output(WIRE_DESCRIPTOR + 1)


def _warm_up_libraries(libraries: list[str]) -> None:
    """Make the slow first calls to libraries, which import modules and fill caches. Children inherit the result."""
    x = np.linspace(-1, 1, 12).reshape(3, 4)
    e = np.exp(x - x.max(-1, keepdims=True))
    decode_message(encode([np.einsum("ij,kj->ik", x, x) @ (e / e.sum(-1, keepdims=True)), {"a": 1.0}]))
    runner = Runner("answer")
    runner.load([("warm up", 1, "import numpy as np\ndef f(x):\n    return np.zeros(x)\n")])
    runner.handle_request("call", "f", [2], {})
    runner.handle_request("call", "f", ["wrong"], {})
    sys.modules.pop("answer", None)
    if libraries:
        from .guards import index_functions  # noqa: PLC0415  (chapters that need only NumPy ban nothing)

        index_functions()
    if "torch" in libraries:
        torch: Any = sys.modules["torch"]
        torch.set_num_threads(1)
        # Make no backward pass, because autograd's threads would not survive a fork.
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layer, y = torch.nn.Linear(4, 4), torch.from_numpy(x).float()
            scores = (layer(y) @ y.transpose(-2, -1) / 2).masked_fill(torch.eye(3, dtype=torch.bool), float("-inf"))
            torch.einsum("ij,jk->ik", torch.softmax(scores, dim=-1), y).tolist()
        torch.set_num_threads = torch.set_num_interop_threads = _ignore_thread_count  # see `sandbox.build_environment`
        from . import torch_requests  # noqa: PLC0415  (imports torch, which most answers never need)
        from .guards import GUARDS  # noqa: PLC0415
        from .reading.shortcuts import KNOWN, add_synonyms  # noqa: PLC0415

        torch_requests.disable_compiler()
        torch_requests.REFUSE_TASKS = make_thread_ban()
        GUARDS.guard_names(add_synonyms(KNOWN))


def _ignore_thread_count(count: int) -> None: ...
