"""An answer is one process, whose limits are enforced; time that it waits for a processor does not count."""

import os
import time

import pytest

from autograder.boundary import channel
from autograder.boundary.channel import WorkerEnded, start_worker

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.slow]

HELPERS = """
import os, subprocess, threading, time
import numpy as np

def fork():
    return os.fork()

def program():
    return subprocess.run(["true"]).returncode

def spawned():
    return os.posix_spawn("/bin/true", ["true"], os.environ)

def rest(seconds):
    time.sleep(seconds)
    return 0

def in_threads(count):
    results = []
    threads = [threading.Thread(target=lambda: results.append(float(np.ones(1 << 16).sum()))) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(results)

def policies():
    stop = threading.Event()
    threads = [threading.Thread(target=stop.wait) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    numbers = [0, *(thread.native_id for thread in threads)]
    told = [os.sched_getscheduler(number) for number in numbers]
    stop.set()
    return told

def endless():
    while True:
        pass

def quick():
    return 1
"""


@pytest.fixture
def worker():
    worker = start_worker(())
    assert worker.ask(["load", [("answer.py", 1, HELPERS)], False], 20)["errors"] == [None]
    yield worker
    worker.close()


def call(worker, name, *arguments, seconds=20):
    return worker.ask(["call", name, list(arguments), {}], seconds)


@pytest.mark.parametrize("name", ["fork", "program", "spawned"])
def test_an_answer_starts_no_process(worker, name):
    reply = call(worker, name)
    assert reply["error"]["type"] == "PermissionError"
    assert call(worker, "quick")["value"] == 1


def test_an_answer_may_start_threads(worker):
    assert call(worker, "in_threads", 8)["value"] == 8 << 16


def test_threads_have_the_lowest_priority(worker):
    assert call(worker, "policies")["value"] == [os.SCHED_OTHER, os.SCHED_IDLE, os.SCHED_IDLE]


def test_an_endless_call_ends_at_its_deadline(worker):
    with pytest.raises(WorkerEnded, match="gave no result within 1 seconds"):
        call(worker, "endless", seconds=1)


def test_quick_replies_are_not_watched(worker, monkeypatch):
    looks = []
    monkeypatch.setattr(channel.Worker, "_update_waited", lambda self: looks.append(1))
    for _ in range(20):
        call(worker, "quick")
    assert len(looks) <= 1


def test_time_without_a_cpu_does_not_count(worker, monkeypatch):
    zygote, start = worker.zygote, time.monotonic()
    monkeypatch.setattr(zygote, "read_waiting_time", lambda child: (time.monotonic() - start) * 0.9)
    assert call(worker, "rest", 2.0, seconds=1)["value"] == 0
    assert worker.waited > 1.0


def test_waiting_for_a_cpu_ends(worker, monkeypatch):
    monkeypatch.setattr(worker.zygote, "read_waiting_time", lambda child: time.monotonic())
    start = time.monotonic()
    with pytest.raises(WorkerEnded, match="gave no result within 1 seconds"):
        call(worker, "endless", seconds=1)
    assert 3.5 < time.monotonic() - start < 60
