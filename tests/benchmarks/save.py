"""Benchmark of the time from a save to its verdict in `attn watch`, compared with `import torch`. Prints medians.

Then an endless loop is saved and, after a second, repaired. This verdict may take 1 s, and quitting 0.3 s.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from support.terminal import PseudoTerminal  # noqa: E402  (needs the changed sys.path)

ROUNDS = 11
ATTN = str(Path(sys.executable).with_name("attn"))
# Exercise -> (chapter, code of its solution, wrong replacement).
SAVES = {
    "softmax": ("one_query", "np.exp(scores - scores.max())", "np.exp(scores)"),
    "MultiHeadAttention": ("multi_head", "self.Wo(merge_heads(weights @ v))", "merge_heads(weights @ v)"),
}
# Exercise -> (chapter, code of its solution, wrong replacement that is not a known mistake).
LINES = {
    "softmax": ("one_query", "exponentials.sum()", "exponentials.mean()"),
    "MultiHeadAttention": ("multi_head", "scores.masked_fill(~mask, hidden)", "scores.masked_fill(mask, hidden)"),
}


def main():
    print("  seconds   (medians)")
    print(f"{_median_import_of_torch():9.3f}   python -c 'import torch'")
    for name, (chapter, good, bad) in SAVES.items():
        right, wrong, _ = _saved(name, chapter, good, bad)
        print(f"{right:9.3f}   from the save of a right {name} to its verdict")
        print(f"{wrong:9.3f}   from the save of a wrong {name} to its verdict and the mistake's name")
    for name, (chapter, good, bad) in LINES.items():
        _, wrong, line = _saved(name, chapter, good, bad, f"{name}: One small change")
        print(f"{wrong:9.3f}   from the save of a wrong {name} that has no name to its verdict")
        print(f"{line:9.3f}   from there to the line of the mistake (bar: 2)")
    repaired, quit_in = _loop()
    print(f"{repaired:9.3f}   from the save of a repair to its verdict, in the middle of a loop without end (bar: 1)")
    print(f"{quit_in:9.3f}   from q to the end, while it is checked (bar: 0.3)")


def _loop():
    """Return the median seconds while an endless loop runs: from its repair to the verdict, and from `q` to the end."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "exercises", "one_query.py")
        file.parent.mkdir()
        right = (ROOT / "solutions" / "one_query.py").read_text(encoding="utf-8")
        line = "exponentials = np.exp(scores - scores.max())"
        loop, repair = right.replace(line, "while True: pass"), right.replace(line, f"{line} * 1.0")
        for _ in range(5):
            shutil.rmtree(file.parent / ".attn", ignore_errors=True)
            file.write_text(right, encoding="utf-8")
            terminal = PseudoTerminal(ATTN, "watch", "one_query", cwd=folder)
            try:
                terminal.wait_for("7 of 7 exercises done.*q quit")
                file.write_text(loop, encoding="utf-8")
                terminal.wait_for(r"Checking softmax and \d more \.\.\. [1-3] s")
                start = time.perf_counter()
                file.write_text(repair, encoding="utf-8")
                terminal.wait_for("softmax +8/8.*7 of 7 exercises done.*q quit")
                repaired = time.perf_counter() - start
                file.write_text(loop, encoding="utf-8")
                terminal.wait_for("Checking softmax")
                start = time.perf_counter()
                terminal.type("q")
                terminal.end()
                times.append((repaired, time.perf_counter() - start))
            finally:
                terminal.close()
    return [statistics.median(each) for each in zip(*times, strict=True)]


def _median_import_of_torch():
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import torch"], check=True)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _saved(name, chapter, good, bad, last=None):
    """Return the median seconds from a correct and a wrong save to its verdict, and from the wrong one's to `last`."""
    text = (ROOT / "solutions" / f"{chapter}.py").read_text(encoding="utf-8")
    seconds = {good: [], bad: [], last: []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "exercises", f"{chapter}.py")
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        terminal = PseudoTerminal(ATTN, "watch", name, "--plain", cwd=folder)
        try:
            terminal.wait_for(r"\d of 1 exercise done")
            for number in range(2 * ROUNDS):
                code = (bad, good)[number % 2]
                start = time.perf_counter()
                # An unused number makes every answer different, so that no verdict is cached.
                file.write_text(text.replace(good, f"({code}, {number})[0]"), encoding="utf-8")
                terminal.wait_for(rf"[+x] {name} .*of 1 exercise done")
                message = time.perf_counter()
                seconds[code].append(message - start)
                if last and code == bad:
                    terminal.wait_for(last)
                    seconds[last].append(time.perf_counter() - message)
        finally:
            terminal.close()
    return [statistics.median(times[1:]) if times else None for times in seconds.values()]


if __name__ == "__main__":
    main()
