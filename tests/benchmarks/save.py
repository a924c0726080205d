"""Benchmark of the time from a save to its verdict in `attn watch`. Prints medians."""

import contextlib
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from support.terminal import PseudoTerminal  # noqa: E402  (needs the changed sys.path)

ROUNDS = 11
ATTN = str(Path(sys.executable).with_name("attn"))
HIDDEN = "scores.masked_fill(~mask, hidden)"
# (exercise, its chapter, code of its solution, replacement, whether that is a known mistake)
SAVES = (
    ("softmax", "one_query", "np.exp(scores - scores.max())", "np.exp(scores)", True),
    ("softmax", "one_query", "exponentials.sum()", "exponentials.mean()", False),
    ("MultiHeadAttention", "multi_head", "self.Wo(merge_heads(weights @ v))", "merge_heads(weights @ v)", True),
    ("MultiHeadAttention", "multi_head", HIDDEN, HIDDEN.replace("~", ""), False),
)


def main():
    print("Seconds from a right and from a wrong save to its verdict, and from there to the mistake's line (bar: 2)")
    for name, chapter, good, bad, is_known in SAVES:
        right, wrong, line = _saved(name, chapter, good, bad, None if is_known else f"{name}: One small change")
        print(f"{right:9.3f} {wrong:9.3f} {line or 0:9.3f}   {name}, {bad}")


def _saved(name, chapter, good, bad, last=None):
    """Return the median seconds from a correct and a wrong save to its verdict, and from the wrong one's to `last`."""
    text = (ROOT / "solutions" / f"{chapter}.py").read_text(encoding="utf-8")
    seconds = {good: [], bad: [], last: []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "exercises", f"{chapter}.py")
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        with contextlib.closing(PseudoTerminal(ATTN, "watch", name, "--plain", cwd=folder)) as terminal:
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
    return [statistics.median(times[1:]) if times else None for times in seconds.values()]


if __name__ == "__main__":
    main()
