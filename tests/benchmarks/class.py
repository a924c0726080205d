"""Benchmark of the time per answer when a whole class is graded, compared with a bare fork. Prints ratios of one run.

    python tests/benchmarks/class.py [STUDENTS | --scale]

A student submits eight functions from four chapters. Most answers are correct, in several styles. Some are wrong or
untouched, and two percent are hostile. docs/performance.md shows a run.
"""

import argparse
import contextlib
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from autograder.boundary.session import AnswerSession
from autograder.chapters.chapter import read_chapter
from autograder.judging.judge import Judge
from autograder.judging.run.kit_code import open_solution_session
from autograder.worker.runner import Runner
from autograder.worker.values import Tensor

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.grading import ANSWERS, read_labelled_text  # noqa: E402  (needs the changed sys.path)

FUNCTIONS = {
    "one_query": (
        "single_dot_attention_score",
        "dot_attention_score",
        "softmax",
        "apply_attention_scores",
        "calculate_attention_vector",
    ),
    "all_queries": ("scaled_dot_product_attention",),
    "qkv": ("SelfAttention",),
    "multi_head": ("MultiHeadAttention",),
}
HOSTILE = (
    "import os\nos._exit(0)",
    "import numpy as np\nnp.allclose = lambda *a, **k: True",
    "import os\nos.write(3, b'\\xff' * 64)",
    "x = bytearray(64 << 30)",
    "import os\nwhile True:\n    os.fork()",
)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("students", nargs="?", type=int, default=200)
    arguments.add_argument("--scale", action="store_true", help="100, 1,000 and 10,000 answers to one chapter")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kit, place = reduced_kit(Path(folder, "kit")), Path(folder, "answers")
        if options.scale:
            return scale(kit, place)
        paths = [path for chapter in FUNCTIONS for path in write_class(place, chapter, options.students)]
        bare, ours = time_bare_forks(40) / os.cpu_count(), grade(kit, paths) / options.students
    print("seconds a student, of eight functions              x ours")
    print(f"{bare:9.4f} bare forks, the same tests in process, {os.cpu_count()} cores {bare / ours:14.2f}")
    print(f"{ours:9.4f} attn grade, confined, {options.students} students")


def reduced_kit(folder):
    for name in ("autograder", "solutions", "exercises"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for chapter, names in FUNCTIONS.items():
        others = "|".join(e.name for e in read_chapter(chapter).exercises if e.name not in names)
        path = folder / "solutions" / f"{chapter}.py"
        text = re.sub(rf' (exercise|hint|after)="({others})".*', "", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
    return folder


def list_styles(chapter):
    """Return the texts of the labelled answers to a chapter: first the correct, then the wrong ones."""
    paths = sorted((ANSWERS / chapter).glob("*.py"))
    return [[read_labelled_text(p) for p in paths if p.name.startswith("wrong") == wrong] for wrong in (False, True)]


def write_class(folder, chapter, students):
    right, wrong = list_styles(chapter)
    stubs = (ROOT / "exercises" / f"{chapter}.py").read_text(encoding="utf-8")
    paths = []
    for number in range(students):
        if number % 50 == 7:
            text = right[0] + "\n\n" + HOSTILE[number // 50 % len(HOSTILE)]
        elif number % 10 == 3:
            text = stubs
        elif number % 5 == 4:
            text = wrong[number // 5 % len(wrong)]
        else:
            text = right[number % len(right)]
        paths.append(folder / f"s{number:05}" / f"{chapter}.py")
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        paths[-1].write_text(f"{text}\n# {number}\n", encoding="utf-8")  # The comment makes every answer unique.
    return paths


def grade(kit, paths, *options):
    start = time.perf_counter()
    command = [sys.executable, "-m", "autograder.cli.main", "grade", *map(str, paths), *options]
    finished = subprocess.run(command, cwd=kit, capture_output=True, text=True)
    if finished.returncode not in (0, 1):
        raise SystemExit(finished.stderr)
    return time.perf_counter() - start


def scale(kit, folder):
    for students in (100, 1_000, 10_000):
        seconds = grade(kit, write_class(folder / str(students), "one_query", students), "--jobs", "2")
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of the largest process until now
        print(f"{seconds / students:9.4f} s an answer of {students}, grader's memory {memory:.0f} MB", flush=True)


def time_bare_forks(count):
    """Return the mean seconds of a fork that runs the same tests on correct answers in-process, without a sandbox."""
    torch.set_num_threads(1)  # A worker has one thread, too.
    nowhere = Path(os.devnull).open("w")  # noqa: SIM115

    class DirectSession(AnswerSession):
        def __init__(self, module):
            self.runner = Runner(module.__name__)
            self.runner.module = module

        def ask(self, request, seconds, call):
            kind, target, *rest = request
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                return _plain(self.runner.handle_request(kind, target, *rest))

    judges, answers = {}, {}
    for chapter, names in FUNCTIONS.items():
        exercises = [read_chapter(chapter).get_exercise(name) for name in names]
        judges[chapter] = Judge(exercises, b"benchmark"), exercises
        answers[chapter], _ = list_styles(chapter)

    def judge_all(number):
        for chapter, (judge, exercises) in judges.items():
            runner = Runner(f"answer_{chapter}")
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                runner.load([("answer.py", 1, answers[chapter][number % len(answers[chapter])])])
            for exercise in exercises:
                if judge.judge(exercise, DirectSession(runner.module)).outcome != "passed":
                    os._exit(1)

    for chapter, (judge, exercises) in judges.items():
        for exercise in exercises:  # Cache the solution's replies now: autograd's threads do not survive a fork.
            judge.judge(exercise, open_solution_session(chapter))
    times = []
    for number in range(count):
        start = time.perf_counter()
        child = os.fork()
        if child == 0:
            judge_all(number)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit("a right answer did not pass in process: nothing to compare with")
        times.append(time.perf_counter() - start)
    return statistics.mean(times)


def _plain(value):
    if isinstance(value, torch.Tensor):
        return Tensor(value.detach().numpy(), value.requires_grad)
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple)(map(_plain, value))
    return {key: _plain(part) for key, part in value.items()} if isinstance(value, dict) else value


if __name__ == "__main__":
    main()
