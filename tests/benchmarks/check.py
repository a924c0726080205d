"""How long a check takes, beside what it cannot be faster than. Prints ratios of medians from one run."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.chapters.curriculum import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5
ATTN = [str(Path(sys.executable).with_name("attn"))]
# Whoever installs the course has its modules compiled after the first run, whatever is usual on this machine.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        answers = str(ROOT / "solutions")
        commands = {
            "import numpy, pytest": [sys.executable, "-c", "import numpy, pytest"],
            "import torch, pytest": [sys.executable, "-c", "import torch, pytest"],
            "attn check softmax": [*ATTN, "check", "softmax", "--answers", answers],
            "attn check one_query (all stubs)": [*ATTN, "check", "one_query"],
            **{
                f"attn check {chapter} (all right)": [*ATTN, "check", chapter, "--answers", answers]
                for chapter in CHAPTERS
            },
            "pytest, one empty test": [sys.executable, "-m", "pytest", "-q", str(_empty_test(folder))],
        }
        seconds = {name: [] for name in commands}
        for _ in range(ROUNDS):  # interleaved, so that a busy moment hits all of them
            for name, command in commands.items():
                started = time.perf_counter()
                subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True)
                seconds[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    numpy, torch = medians["import numpy, pytest"], medians["import torch, pytest"]
    print("  seconds   x numpy, pytest   x torch, pytest")
    for name, median in medians.items():
        print(f"{median:9.3f} {median / numpy:17.2f} {median / torch:17.2f}   {name}")
    print(f"{_one_more_exercise():9.3f}   for each further exercise of the first unit in the same run (median)")


def _empty_test(folder):
    path = Path(folder) / "test_empty.py"
    path.write_text("def test_nothing():\n    pass\n")
    return path


def _one_more_exercise():
    """Median time that `check` spends on an exercise after the first, from its own JSON lines."""
    command = [*ATTN, "check", "one_query", "all_queries", "--json", "--answers", "solutions"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    return statistics.median([json.loads(line)["seconds"] for line in run.stdout.splitlines()][1:])


if __name__ == "__main__":
    main()
