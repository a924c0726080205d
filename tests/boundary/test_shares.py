"""Each worker has its own share of the CPU: threads cost no other answer points, and waiting does not count."""

import os
import time

import pytest
from rich.console import Console

from autograder.boundary.channel import Worker, WorkerEnded, start_worker
from autograder.grading.executors import make_executor
from autograder.grading.many import GradingSettings, grade_answers
from support.grading import SECRET

pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap")]

SLOW = """
import numpy as np

def softmax(scores):
    total = 0
    for i in range(1_500_000):
        total += i & 1  # correct, but slow
    e = np.exp(np.asarray(scores, float) - np.max(scores))
    return e / e.sum()
"""
NEVER_RESTING = """
import threading, time

def forever():
    while True:
        pass

for _ in range(60):
    threading.Thread(target=forever, daemon=True).start()

def softmax(scores):
    time.sleep(4.2)
    raise ValueError
"""


def test_a_slow_answer_passes_next_to_an_answer_that_uses_all_cpus(tmp_path):
    paths = {name: tmp_path / f"{name}.py" for name in ("never_resting", "slow")}
    paths["never_resting"].write_text(NEVER_RESTING)
    paths["slow"].write_text(SLOW)
    lines, settings = [], GradingSettings(SECRET, lambda: make_executor(2), Console(quiet=True))
    grade_answers([*paths.values()], "one_query", settings, lines.append)
    slow = next(line for line in lines if line["answer"] == str(paths["slow"]))
    softmax = next(each for each in slow["exercises"] if each["exercise"] == "softmax")
    assert (softmax["outcome"], softmax["points"]) == ("passed", 8)


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
    monkeypatch.setattr(Worker, "_update_waited", lambda self: looks.append(1))
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
