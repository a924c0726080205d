"""Threads of an answer have the lowest priority, and time that it waits for a processor does not count."""

import os
import time

import pytest

from autograder.boundary import channel
from autograder.boundary.channel import WorkerEnded, start_worker

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.slow]

HELPERS = """
import os, threading, time

def rest(seconds):
    time.sleep(seconds)
    return 0

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


def test_threads_have_the_lowest_priority(worker):
    assert call(worker, "policies")["value"] == [os.SCHED_OTHER, os.SCHED_IDLE, os.SCHED_IDLE]


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
