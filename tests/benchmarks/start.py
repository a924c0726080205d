"""How long the commands take that run no answer, and what their start is spent on. The bar: 150 ms at the median."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 11
BAR = 0.150
ATTN = str(Path(sys.executable).with_name("attn"))
COMMANDS = (("list",), ("next",), ("hint", "softmax"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "exercises", Path(folder, "exercises"))
        print("  seconds   (medians; the bar is 0.150 on two quiet cores)")
        print(f"{_median([sys.executable, '-c', ''], folder):9.3f}   python -c ''")
        for command in COMMANDS:
            seconds = _median([ATTN, *command], folder)
            print(f"{seconds:9.3f}   attn {' '.join(command)}{'   above the bar' if seconds > BAR else ''}")
        print("What attn list imports, by the milliseconds that a module takes itself:")
        for milliseconds, module in _imports(folder)[:8]:
            print(f"{milliseconds:9.1f}   {module}")


def _median(command, folder):
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=True)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def _imports(folder):
    """(Milliseconds, module) of every import, the slowest first; NumPy among them would be a mistake."""
    command = [sys.executable, "-X", "importtime", ATTN, "list"]
    told = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=True, text=True).stderr
    rows = [line.removeprefix("import time:").split("|") for line in told.splitlines() if line[:12] == "import time:"]
    found = [(int(own) / 1000, module.strip()) for own, _, module in rows if own.strip().isdigit()]
    if any(module == "numpy" for _, module in found):
        raise RuntimeError("attn list imports NumPy, which it has no use for")
    return sorted(found, reverse=True)


if __name__ == "__main__":
    main()
