"""What a Dask scheduler hands out in a second, and how many workers that feeds.

    python tests/benchmarks/cluster.py [--tls]

A real scheduler and real workers, on this machine, do nothing at all, as fast as they are told to: first each task by
itself, then answers as `attn grade --scheduler` sends them, in bundles. What the grader spends on an answer before and
after that is measured apart.
"""

import argparse
import contextlib
import functools
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from autograder.grading.cluster import BUNDLE_SECONDS, TASKS_A_SECOND, Cluster, cluster  # noqa: E402
from autograder.grading.many import Piece  # noqa: E402
from autograder.grading.pieces import grade_pieces  # noqa: E402
from autograder.grading.record import Record  # noqa: E402
from support.dask import Numbered, certificates, nothing  # noqa: E402

TASKS, ANSWERS, WORKERS = 3000, 100_000, 1000
ANSWER_SECONDS = 0.011  # of one core, for a small one: docs/performance.md


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tls", action="store_true", help="with certificates, as between machines")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
        if asked.tls:
            environment |= certificates(folder)
            os.environ.update(environment)
        with running(folder, environment, "tls" if asked.tls else "tcp") as address:
            measure(address, folder)


def measure(address, folder):
    executor = cluster(address, no_sandbox=True)
    tasks = max(handed_out(executor) for _ in range(3))
    print(f"{tasks:9.0f} tasks a second that do nothing, each handed out by itself")
    executor.shutdown()
    executor = cluster(address, no_sandbox=True)
    seconds, bundles = in_bundles(executor, 200_000)
    print(f"{200_000 / seconds:9.0f} answers a second that cost nothing, in bundles of {200_000 / bundles:.0f}")
    read, record = reading(folder), recording(folder)
    print(f"{1 / read:9.0f} answers a second that a grader opens and packs, {1 / record:.0f} whose lines it keeps")
    for bundle in (BUNDLE_SECONDS, WORKERS / TASKS_A_SECOND):
        print(f"{tasks * bundle:9.0f} workers fed by bundles of {bundle:g} s")
    for workers in (2, 100, WORKERS):
        seconds = max(ANSWERS * ANSWER_SECONDS / workers, ANSWERS * (read + record))
        print(f"{seconds:9.0f} s for {ANSWERS:,} answers of {1000 * ANSWER_SECONDS:.0f} ms with {workers} workers")


def handed_out(executor):
    """Tasks that a scheduler hands out in a second, in the loop that grades, with as many handed out as a class has."""
    executor.seconds = 0.0  # each by itself
    started = time.perf_counter()
    grade_pieces(iter(map(Numbered, range(TASKS))), nothing, lambda: Unclosed(executor), lambda lines: None)
    return TASKS / (time.perf_counter() - started)


class Unclosed:
    """An executor that goes on."""

    def __init__(self, executor):
        self.executor, self.submit, self.window = executor, executor.submit, 256

    def shutdown(self, **options):
        pass


def in_bundles(executor, count):
    """Seconds, and how many bundles it took."""
    sent, send = [], Cluster._send_one
    executor._send_one = lambda bundle: (sent.append(bundle), send(executor, bundle))
    started = time.perf_counter()
    grade_pieces(iter(map(Numbered, range(count))), nothing, lambda: executor, lambda lines: None)
    return time.perf_counter() - started, len(sent)


def reading(folder):
    """Seconds to open an answer and pack it."""
    text = (ROOT / "solutions" / "one_query.py").read_text()
    paths = [folder / f"s{number}" / "one_query.py" for number in range(300)]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        path.write_text(f"{text}\n# {number}")
    started = time.perf_counter()
    zlib.compress(pickle.dumps([(nothing, Piece(str(path), "one_query").loaded()) for path in paths]), 1)
    return (time.perf_counter() - started) / len(paths)


def recording(folder):
    """Seconds to keep the line of an answer."""
    line = {"answer": "x" * 40, "chapter": "one_query", "key": "x" * 64, "exercises": [{"message": "x" * 400}] * 7}
    with Record(folder / "record.jsonl") as record:
        started = time.perf_counter()
        for _ in range(10):
            record.append(*[line] * 90)
        return (time.perf_counter() - started) / 900


@contextlib.contextmanager
def running(folder, environment, protocol):
    """A scheduler and as many workers as there are cores; the address."""
    file = folder / "scheduler.json"
    start = functools.partial(_start, file, environment)
    words = ["--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-show"]
    processes = [start("dask_scheduler", *words)]
    try:
        processes += [start("dask_worker", "--nthreads", "1", "--no-nanny") for _ in range(os.cpu_count() or 1)]
        while not file.exists():
            time.sleep(0.05)
        time.sleep(3)
        yield json.loads(file.read_text())["address"]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _start(file, environment, command, *options):
    words = [sys.executable, "-m", f"distributed.cli.{command}", "--scheduler-file", file, "--no-dashboard", *options]
    nowhere = subprocess.DEVNULL
    return subprocess.Popen([*map(str, words)], env=environment, stdout=nowhere, stderr=nowhere, cwd=file.parent)


if __name__ == "__main__":
    main()
