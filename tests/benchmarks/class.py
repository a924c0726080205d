"""Benchmark of the time per answer when a whole class is graded, compared with a bare fork. Prints ratios of one run.

    python tests/benchmarks/class.py [STUDENTS] [--scale]
    python tests/benchmarks/class.py [STUDENTS] --since COMMIT [--right]

A student submits eight functions from four chapters. Most answers are correct, in several styles. Some are wrong or
untouched, and two percent are hostile. docs/performance.md shows a run.
"""

import argparse
import contextlib
import ctypes
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

ORPHAN_SECONDS = 3  # time for processes to end after their parent has ended
_PR_SET_CHILD_SUBREAPER = 36  # Linux option that makes this process the parent of orphaned descendants
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
    arguments.add_argument("--scale", action="store_true", help="also 100, 1,000 and 10,000 answers to one chapter")
    arguments.add_argument("--since", metavar="COMMIT", help="only wrong answers, by this kit and that of a commit")
    arguments.add_argument("--right", action="store_true", help="with --since: right answers")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if options.since:
            return compare_with_commit(options.since, folder, options.students, "right" if options.right else "wrong")
        kit = reduced_kit(folder / "kit")
        times = {
            f"bare forks, the same tests in process, {os.cpu_count()} cores": time_bare_forks(40) / os.cpu_count(),
            f"attn grade, confined, {options.students} students": whole_class(kit, folder / "class", options.students),
        }
        *_, ours = times.values()
        print("seconds a student, of eight functions              x ours")
        for name, seconds in times.items():
            print(f"{seconds:9.4f} {name:50} {seconds / ours:7.2f}", flush=True)
        if options.scale:
            scale(kit, folder / "scale")


def reduced_kit(folder):
    for name in ("autograder", "solutions", "exercises"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for chapter, names in FUNCTIONS.items():
        others = "|".join(e.name for e in read_chapter(chapter).exercises if e.name not in names)
        path = folder / "solutions" / f"{chapter}.py"
        text = re.sub(rf' (exercise|hint|after|carries)="({others})".*', "", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
    return folder


def list_styles(chapter):
    """Yield (is wrong, text) for each labelled answer to a chapter."""
    for path in sorted((ANSWERS / chapter).glob("*.py")):
        yield path.name.startswith("wrong"), read_labelled_text(path)


def write_class(folder, chapter, students):
    right = [text for is_wrong, text in list_styles(chapter) if not is_wrong]
    wrong = [text for is_wrong, text in list_styles(chapter) if is_wrong]
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


def grade(kit, paths, chapter, *options):
    start = time.perf_counter()
    command = [sys.executable, "-m", "autograder.cli.main", "grade", *paths, *options]
    command += ["--chapter", chapter] if chapter else []
    options_read = (kit / "autograder" / "cli" / "grading.py").read_text(encoding="utf-8")
    if "record: Annotated[Path, typer.Option" in options_read:  # Older versions of the kit require this option.
        command += ["--record", paths[0].parent / f"{time.time_ns()}.jsonl"]
    finished = subprocess.run([*map(str, command)], cwd=kit, capture_output=True, text=True)
    if finished.returncode not in (0, 1):
        raise SystemExit(finished.stderr)
    return time.perf_counter() - start


def whole_class(kit, folder, students, *options):
    paths = [path for chapter in FUNCTIONS for path in write_class(folder, chapter, students)]
    return grade(kit, paths, None, *options) / students


def compare_with_commit(commit, folder, students, kind):
    """Print how long a commit's kit and this kit take to grade a class whose answers are all "right" or "wrong"."""
    before = folder / "before"
    before.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "--extract", "--directory", str(before)], input=archive, check=True)
    paths = []
    for chapter in FUNCTIONS:
        paths_of_kind = (ANSWERS / chapter).glob("[!w]*.py" if kind == "right" else "**/wrong*.py")
        answers = [path for path in sorted(paths_of_kind) if _is_as_before(path, before)]
        for student in range(students):
            paths.append(folder / f"s{student:03}" / f"{chapter}.py")
            paths[-1].parent.mkdir(exist_ok=True)
            text = read_labelled_text(answers[student * len(answers) // students])
            paths[-1].write_text(f"{text}\n# {student}\n", encoding="utf-8")
    times = {kit: [] for kit in (before, ROOT)}
    for kit in (before, ROOT) * 3:
        began = read_cpu_seconds()
        seconds = grade(kit, paths, None)
        times[kit].append((read_cpu_seconds() - began, seconds))
        print("{:9.2f} s of the processor {:9.2f} s".format(*times[kit][-1]), kit.name, flush=True)
    medians = {kit: [statistics.median(column) for column in zip(*rows, strict=True)] for kit, rows in times.items()}
    print(f"{students} students, {len(paths)} files, every one {kind}; median of three")
    for kit, name in ((before, commit), (ROOT, "now")):
        print("{:9.2f} s of the processor {:9.2f} s  {}".format(*medians[kit], name))
    print(f"{medians[ROOT][0] / medians[before][0]:9.2f} times the processor's time")


def _is_as_before(path, before):
    """Return whether a labelled answer, including what it copies from others, is the same in the older kit."""
    old = before / path.relative_to(ROOT)
    return old.exists() and read_labelled_text(old) == read_labelled_text(path)


def read_cpu_seconds():
    """Return the CPU seconds of all ended descendants of this process, including orphans."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    deadline = time.monotonic() + ORPHAN_SECONDS
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < deadline:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
        answers[chapter] = [text for is_wrong, text in list_styles(chapter) if not is_wrong]

    def judge_all(number):
        for chapter, (judge, exercises) in judges.items():
            runner = Runner(f"answer_{chapter}")
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                runner.load([("answer.py", 1, answers[chapter][number % len(answers[chapter])])])
            for exercise in exercises:
                verdict = judge.judge(exercise, DirectSession(runner.module))
                if verdict.outcome != "passed":
                    print(f"{exercise.name}, answer {number}: {verdict.message}", file=sys.stderr)
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


def scale(kit, folder):
    for students in (100, 1_000, 10_000):
        write_class(folder / str(students), "one_query", students)
        words = [sys.executable, "-c", _MEASURED, str(folder / str(students))]
        finished = subprocess.run(words, cwd=kit, capture_output=True, text=True, check=True)
        wall, memory = map(float, finished.stdout.split())
        print(f"{wall / students:9.4f} s an answer of {students}, grader's memory {memory:.0f} MB", flush=True)


_MEASURED = """
import resource, sys, time
from pathlib import Path
from rich.console import Console
from autograder.grading import executors
from autograder.grading.many import GradingSettings, grade_answers
folder = Path(sys.argv[1])
if __name__ == "__main__":
    started = time.perf_counter()
    settings = GradingSettings(b"benchmark", lambda: executors.make_executor(2), Console(stderr=True))
    grade_answers(sorted(folder.glob("*/*.py")), "one_query", settings, lambda line: None)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(time.perf_counter() - started, max(own, children) / 1024)
"""


if __name__ == "__main__":
    main()
