"""How long a save waits for its verdict while `attn watch` runs, beside `import torch`. Prints medians of one run."""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 21
ATTN = str(Path(sys.executable).with_name("attn"))
# Exercise -> its file, a line of its solution, and what makes it wrong.
SAVES = {
    "softmax": ("one_query", "np.exp(scores - scores.max())", "np.exp(scores)"),
    "MultiHeadAttention": ("multi_head", "self.Wo(merge_heads(weights @ v))", "merge_heads(weights @ v)"),
}


def main():
    print("  seconds   (medians)")
    print(f"{_median(_import_torch):9.3f}   python -c 'import torch'")
    for name, (chapter, good, bad) in SAVES.items():
        right, wrong = _saves(name, chapter, good, bad)
        print(f"{right:9.3f}   from the save of a right {name} to its verdict")
        print(f"{wrong:9.3f}   from the save of a wrong {name} to its verdict and the mistake's name")


def _median(run):
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def _import_torch():
    subprocess.run([sys.executable, "-c", "import torch"], check=True)


def _saves(name, chapter, good, bad):
    """Median seconds of right and of wrong saves, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "solutions" / f"{chapter}.py", folder)
        file = Path(folder, f"{chapter}.py")
        text = file.read_text(encoding="utf-8")
        command = [ATTN, "watch", name, "--plain", "--answers", folder]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        try:
            _wait_for(process, r"\d of 1 exercises done")
            seconds = {good: [], bad: []}
            for number in range(2 * ROUNDS):
                code = (bad, good)[number % 2]
                started = time.perf_counter()
                # A number that nothing uses: the answer is another one every time.
                file.write_text(text.replace(good, f"({code}, {number})[0]"), encoding="utf-8")
                _wait_for(process, rf"  [+x] {name} ")
                seconds[code].append(time.perf_counter() - started)
                _wait_for(process, r"\d of 1 exercises done")
        finally:
            process.kill()
            process.wait()
    return statistics.median(seconds[good][1:]), statistics.median(seconds[bad][1:])


def _wait_for(process, words):
    """Read on to the line that begins with a pattern."""
    for line in process.stdout:
        if re.match(words, line):
            return
    raise RuntimeError(f"attn watch ended before it said {words!r}")


if __name__ == "__main__":
    main()
