"""Threads of one answer cost no other answer points, because each worker has its own share of the CPU."""

import pytest
from rich.console import Console

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
