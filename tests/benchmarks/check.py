"""Benchmark of the time for commands, compared with a bare import of their libraries. Prints medians of one run."""

import json
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
QUICK = (("list",), ("next",), ("hint", "softmax"))
# Python must cache compiled modules, as it does for learners, even if this machine has switched that off.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main():
    commands = {code: [sys.executable, "-c", code] for code in (NUMPY, TORCH)}
    commands |= {f"attn {' '.join(words)}": [ATTN, *words] for words in QUICK}
    commands["attn check one_query (all stubs)"] = [ATTN, "check", "one_query"]
    for name in ("softmax", *CHAPTERS):
        commands[f"attn check {name} (right)"] = [ATTN, "check", name, "--answers", "solutions"]
    collected = ("-m", "pytest", "-q", "--co", "--noconftest", "tests/project/test_clone.py")
    commands["pytest, no test"] = [sys.executable, *collected]
    seconds = {name: [] for name in commands}
    for _ in range(ROUNDS):  # The commands take turns, so that a busy moment affects all of them.
        for name, command in commands.items():
            start = time.perf_counter()
            run(command)
            seconds[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    print("  seconds   x numpy, pytest   x torch, pytest")
    for name, median in medians.items():
        is_above = name in {f"attn {' '.join(words)}" for words in QUICK} and median > BAR_SECONDS
        above = f"   above the bar of {BAR_SECONDS:.3f}" if is_above else ""
        print(f"{median:9.3f} {median / medians[NUMPY]:17.2f} {median / medians[TORCH]:17.2f}   {name}{above}")
    output = run([ATTN, "check", "one_query", "all_queries", "--json", "--answers", "solutions"]).stdout.splitlines()
    more = statistics.median([json.loads(line)["seconds"] for line in output][1:])
    print(f"{more:9.3f}   for each further exercise of the first unit in the same run (median)")
    print("What attn list imports, by the milliseconds that a module takes itself:")
    for milliseconds, module in imports()[:8]:
        print(f"{milliseconds:9.1f}   {module}")


def run(command):
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True, text=True)


def imports():
    """Return (milliseconds, module) for each import of `attn list`, slowest first. NumPy must not be imported."""
    log = run([sys.executable, "-X", "importtime", ATTN, "list"]).stderr
    rows = [line.removeprefix("import time:").split("|") for line in log.splitlines() if line[:12] == "import time:"]
    results = [(int(own) / 1000, module.strip()) for own, _, module in rows if own.strip().isdigit()]
    if any(module == "numpy" for _, module in results):
        raise RuntimeError("attn list imports NumPy, which it has no use for")
    return sorted(results, reverse=True)


if __name__ == "__main__":
    main()
