"""What a process and all that it has started take of the machine; a zygote sees that, the grader does not."""

import contextlib
import os
import re
import time

LOOK_SECONDS = 1.0  # for a second look: what it does not reach counts as it did in the first
_RESIDENT = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)
_SHARED_OUT = re.compile(r"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB", re.MULTILINE)


def waiting_seconds_of(process: int) -> float:
    """Seconds that the first thread of a process was ready to run while others ran; 0 where no kernel tells."""
    nanoseconds = _read(process, "schedstat").split()[1:2]
    return int(nanoseconds[0]) / 1e9 if nanoseconds else 0.0


def run_when_idle(family: list[int]) -> None:
    """Let what an answer has started besides its own first thread run only while the processor is idle.

    So an answer has one share of a processor, however many processes and threads it starts: the calls of somebody
    else's answer have deadlines too.
    """
    if not hasattr(os, "SCHED_IDLE"):
        return
    for process in family:
        for path in _threads(process):
            if (thread := int(path.rpartition("/")[2])) != family[0]:
                with contextlib.suppress(OSError):  # it has ended
                    os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))


def memory_of(family: list[int], enough: int) -> int:
    """Bytes of memory that are in use by a process and its descendants, files of libraries aside.

    A quick look counts what forks share once for each; where that is more than enough, a second one, a millisecond for
    every 100 MB, counts it once.
    """
    quick = {number: _sum(number, "status", _RESIDENT) for number in family}
    total, until = sum(quick.values()), time.monotonic() + LOOK_SECONDS
    return total if total <= enough else sum(_exactly(number, size, until) for number, size in quick.items())


def _exactly(process: int, quick: int, until: float) -> int:
    if time.monotonic() > until:  # a process can make others wait for this figure
        return quick
    # Not every kernel tells it, and none of a process that has made itself unreadable.
    return _sum(process, "smaps_rollup", _SHARED_OUT) or _sum(process, "status", _RESIDENT)


def family_of(process: int) -> list[int]:
    """The numbers of a process and its descendants: an orphan becomes a child of the process itself."""
    children: dict[int, list[int]] = {}
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            parent = _read(name, "stat").rpartition(")")[2].split()[1:2]
            children.setdefault(int(parent[0]) if parent else 0, []).append(int(name))
    family = [process]
    for number in family:
        family += children.pop(number, [])  # numbers are given anew, and what was read may go round in a circle
    return family


def _sum(process: int | str, file: str, pattern: re.Pattern) -> int:
    sizes = pattern.findall(_read(process, file))
    if not sizes:  # its first thread has ended; all others hold the same memory
        sizes = next(filter(None, (pattern.findall(_read(thread, file)) for thread in _threads(process))), ())
    return sum(int(kilobytes) << 10 for kilobytes in sizes)


def _threads(process: int | str) -> list[str]:
    try:
        return [f"{process}/task/{name}" for name in os.listdir(f"/proc/{process}/task")]
    except OSError:
        return []


def _read(process: int | str, name: str) -> str:
    try:
        with open(f"/proc/{process}/{name}") as file:
            return file.read()
    except OSError:  # it has ended meanwhile
        return ""
