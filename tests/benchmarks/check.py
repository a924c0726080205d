"""Benchmark of the time for commands, compared with a bare import of their libraries. Prints medians of one run."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from autograder.chapters.curriculum import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7
BAR_SECONDS = 0.150  # limit for commands that run no answer
ATTN = str(Path(sys.executable).with_name("attn"))
NUMPY, TORCH = "import numpy, pytest", "import torch, pytest"
QUICK = ("attn list", "attn next", "attn hint softmax")
# Python must cache compiled modules, as it does for learners, even if this machine has switched that off.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main():
    commands = {code: [sys.executable, "-c", code] for code in (NUMPY, TORCH)}
    commands |= {name: [ATTN, *name.split()[1:]] for name in QUICK}
    commands["attn check one_query (all stubs)"] = [ATTN, "check", "one_query"]
    for name in ("softmax", *CHAPTERS):
        commands[f"attn check {name} (right)"] = [ATTN, "check", name, "--answers", "solutions"]
    seconds = {name: [] for name in commands}
    for _ in range(ROUNDS):  # The commands take turns, so that a busy moment affects all of them.
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True)
            seconds[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    print("  seconds   x numpy, pytest   x torch, pytest")
    for name, median in medians.items():
        above = f"   above the bar of {BAR_SECONDS:.3f}" if name in QUICK and median > BAR_SECONDS else ""
        print(f"{median:9.3f} {median / medians[NUMPY]:17.2f} {median / medians[TORCH]:17.2f}   {name}{above}")


if __name__ == "__main__":
    main()
