"""All processes of one answer together get as much memory as one answer may have; honest ones are not slowed by it."""

import os
import time

import pytest

from autograder.boundary import channel, sandbox
from autograder.boundary.channel import WorkerEnded
from autograder.boundary.zygotes import new_worker, zygote_for
from autograder.worker import process_usage
from autograder.worker.wire import encode

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.slow]

LIMIT = 400 << 20
HELPERS = """
import ctypes, os, signal, threading, time
import numpy as np

def swarm(count, megabytes, seconds):
    for _ in range(count):
        if os.fork() == 0:
            kept = np.ones(megabytes << 17)
            time.sleep(60)
            os._exit(0)
    time.sleep(seconds)
    return count

def orphans(count, megabytes):
    if os.fork() == 0:
        swarm(count, megabytes, 0)
        os._exit(0)
    return "gone"

def family(count, megabytes):
    shared = np.ones(megabytes << 17)
    children = []
    for _ in range(count):
        children.append(os.fork())
        if children[-1] == 0:
            time.sleep(60)
            os._exit(0)
    time.sleep(0.5)
    for child in children:
        os.kill(child, signal.SIGKILL)
    return float(shared.sum())

def hidden(how):
    for _ in range(10):
        if os.fork() == 0:
            if how == "unreadable":
                ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
                kept = np.ones(80 << 17)
            else:
                threading.Thread(target=lambda: (np.ones(80 << 17), time.sleep(60))).start()
                time.sleep(0.1)
                ctypes.CDLL(None).syscall(60, 0)
            time.sleep(60)
            os._exit(0)
    time.sleep(15)

def endless():
    while True:
        pass

def quick():
    return 1
"""


@pytest.fixture
def worker(monkeypatch):
    """A worker with these functions, and less memory than usual."""
    monkeypatch.setattr(sandbox, "MEMORY", LIMIT)
    worker = new_worker(())
    assert worker.ask(["load", [("answer.py", 1, HELPERS)], False], 20)["errors"] == [None]
    yield worker
    worker.close()


def call(worker, name, *arguments, seconds=20):
    """The reply to a call."""
    return worker.ask(["call", name, list(arguments), {}], seconds)


@pytest.mark.parametrize(("count", "megabytes"), [(10, 80), (40, 15)])
def test_a_swarm_is_ended_for_the_memory_that_it_holds_together(worker, count, megabytes):
    with pytest.raises(WorkerEnded, match="memory that all its processes may have together") as ended:
        call(worker, "swarm", count, megabytes, 15.0)
    assert ended.value.outcome == "memory"


def test_processes_that_left_their_parent_count(worker):
    call(worker, "orphans", 10, 80)
    with pytest.raises(WorkerEnded, match="memory"):
        for _ in range(100):
            call(worker, "quick")
            time.sleep(0.1)


@pytest.mark.parametrize("how", ["unreadable", "without its first thread"])
def test_processes_that_hide_are_weighed_too(worker, how):
    with pytest.raises(WorkerEnded, match="memory that all its processes"):
        call(worker, "hidden", how)


def test_a_worker_that_does_not_listen_is_weighed_too(worker):
    busy = encode(["call", "swarm", [10, 80, 15.0], {}])
    worker._send(busy, time.monotonic() + 5)
    with pytest.raises(WorkerEnded, match="memory"):
        worker._send(bytes(8 << 20), time.monotonic() + 15)


def test_what_processes_share_counts_once(worker):
    assert call(worker, "family", 8, 200)["value"] == 200 << 17


def test_what_is_watched_ends_at_its_deadline(worker):
    with pytest.raises(WorkerEnded, match="gave no result within 1 seconds"):
        call(worker, "endless", seconds=1)


def test_a_look_that_is_made_slow_ends(monkeypatch):
    monkeypatch.setattr(process_usage, "LOOK_SECONDS", -1.0)
    monkeypatch.setattr(process_usage, "_SHARED_OUT", None)  # is not asked for
    assert process_usage.memory_of([os.getpid()], 0) > 1 << 20


def test_quick_replies_are_not_weighed(worker, monkeypatch):
    looks = []
    monkeypatch.setattr(channel.Worker, "_look", lambda self: looks.append(1))
    for _ in range(20):
        call(worker, "quick")
    assert len(looks) <= 1


def test_a_zygote_weighs_its_worker(worker):
    assert 1 << 20 < zygote_for(()).look_at(worker.child)[0] < LIMIT


def test_what_an_answer_starts_runs_where_nobody_else_wants_to(worker):
    call(worker, "swarm", 2, 1, 1.0)
    worker._look()
    told = [(number, os.sched_getscheduler(number)) for number in process_usage.family_of(_number_of(worker))]
    assert [policy for _, policy in told[1:]] == [os.SCHED_IDLE] * 2
    assert told[0][1] == os.SCHED_OTHER


def _number_of(worker):
    """The number that a worker has here: the zygote has another one for it."""
    family = process_usage.family_of(os.getpid())
    return next(number for number in family if f"\t{worker.child}\t" in f"{_numbers(number)}\t")


def _numbers(process):
    with open(f"/proc/{process}/status") as file:
        return next(line for line in file if line.startswith("NSpid:")).rstrip("\n")


def test_time_that_is_waited_for_a_processor_does_not_count(worker, monkeypatch):
    zygote, started = worker.zygote, time.monotonic()
    monkeypatch.setattr(zygote, "look_at", lambda child: (0, (time.monotonic() - started) * 0.9))
    assert call(worker, "swarm", 0, 0, 2.0, seconds=1)["value"] == 0
    assert worker.waited > 1.0


def test_nobody_waits_for_a_processor_for_ever(worker, monkeypatch):
    monkeypatch.setattr(worker.zygote, "look_at", lambda child: (0, time.monotonic()))
    started = time.monotonic()
    with pytest.raises(WorkerEnded, match="gave no result within 1 seconds"):
        call(worker, "endless", seconds=1)
    assert 3.5 < time.monotonic() - started < 60
