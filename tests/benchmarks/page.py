"""How long a check in the served book waits for its verdict, and a loop without end for its stop, on a warm server.

The bars, on two quiet cores: 0.2 s at the median for NumPy chapters, 0.2 s to stop. Prints medians of one run.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from autograder.chapters.chapter import read_chapter  # noqa: E402  (a script finds its neighbours only)
from autograder.serve.seat import Seat  # noqa: E402
from autograder.study.folder import Folder  # noqa: E402
from support.served import answers  # noqa: E402

ROUNDS, BAR = 11, 0.2
# Exercise -> its chapter, and a part of its solution with what makes it wrong.
CHECKS = {
    "softmax": ("one_query", "np.exp(scores - scores.max())", "np.exp(scores)"),
    "scaled_dot_product_attention": ("all_queries", "/ np.sqrt(", "* np.sqrt("),
}
LOOP = "def softmax(scores):\n    while True:\n        pass"


def main():
    with tempfile.TemporaryDirectory() as folder:
        seat = Seat(Folder(answers(Path(folder))), lambda: None)
        print("  seconds   (medians; the bar is 0.200 on two quiet cores)")
        for name, (chapter, good, bad) in CHECKS.items():
            right = read_chapter(chapter).exercise(name).solution
            for text, what in ((right, "right"), (right.replace(good, bad), "wrong")):
                _check(seat, chapter, name, text)
                seconds = statistics.median(
                    _check(seat, chapter, name, f"{text}\n# {number}") for number in range(ROUNDS)
                )
                above = "   above the bar" if seconds > BAR else ""
                print(f"{seconds:9.3f}   from the check of a {what} {name} to its verdict on the page{above}")
        seconds = statistics.median(_stop(seat) for _ in range(3))
        print(f"{seconds:9.3f}   from a stop, in the middle of a loop without end, to the page that says so")
        seat.checker.close(5)


def _check(seat, chapter, name, text):
    """Seconds until the page has another verdict."""
    told = seat.page(chapter)["sheets"][name]
    number, started = (told["found"] or {}).get("number", 0), time.perf_counter()
    seat.check(name, told["text"], text)
    while (seat.results.get(name) or ("", {"number": 0}))[1]["number"] <= number:
        time.sleep(0.001)
    seat.page(chapter)
    return time.perf_counter() - started


def _stop(seat):
    seat.check("softmax", seat.page("one_query")["sheets"]["softmax"]["text"], LOOP)
    time.sleep(0.5)
    started = time.perf_counter()
    seat.do({"do": "stop"})
    assert not seat.page("one_query")["sheets"]["softmax"]["is_checked"]
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
