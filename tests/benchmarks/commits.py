"""How long commands take here, beside an earlier commit, in one run. Prints ratios, and no bar.

    python tests/benchmarks/commits.py [COMMIT] [--rounds ROUNDS] [--students STUDENTS]

Both checkouts run in turn, with the libraries that are installed here, each on files and in a course of its own making.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ("softmax", "all_queries", "multi_head", "efficient")
UNIT = "words-and-pictures"
WRONG = {
    "one_query": ("np.exp(scores - scores.max())", "np.exp(scores)"),
    "qkv": ("self.attention(self.Wq(queries)", "self.attention(self.Wk(queries)"),
}
ANSWERS = 40  # to grade at once, each fifth of them wrong
# A notebook for each student, two in three right, as what a checkout itself hands out.
HAND_IN = """
import nbformat, shutil, sys
from pathlib import Path
from autograder.chapters.chapter import read_chapter
exercises = {f"{exercise.name}-answer": exercise for exercise in read_chapter("embeddings").exercises}
release = Path("release", sys.argv[1], "embeddings.ipynb")
for number in range(int(sys.argv[2])):
    notebook = nbformat.read(release, as_version=4)
    for cell in notebook.cells:
        exercise = exercises.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if exercise and number % 6:
            cell.source = exercise.source.replace("word.lower()", "word" if number % 6 == 1 else "word.lower()")
            cell.source += f"\\n# {number}"
    folder = Path("submitted", f"s{number:03}", sys.argv[1])
    shutil.copytree(release.parent, folder)
    nbformat.write(notebook, folder / release.name)
"""


class Checkout:
    """One commit's tree, and a folder in which its commands run."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree, self.folder = tree, folder
        folder.mkdir()
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.environment |= {"PYTHONPATH": str(tree), "PYTHONWARNINGS": "ignore"}
        for chapter, edit in WRONG.items():
            right = (tree / "solutions" / f"{chapter}.py").read_text(encoding="utf-8")
            wrong = right.replace(*edit)
            (folder / f"wrong_{chapter}.py").write_text(wrong, encoding="utf-8")
            for number in range(ANSWERS):
                text = f"{right if number % 5 else wrong}\n# {number}\n"
                (folder / f"{chapter}_{number}.py").write_text(text, encoding="utf-8")

    def run(self, *arguments: str, cwd: Path | None = None) -> tuple[float, float]:
        """Wall and processor seconds of a command, with all that it waits for."""
        command, before = [sys.executable, *arguments], resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        done = subprocess.run(command, cwd=cwd or self.tree, env=self.environment, capture_output=True, text=True)
        wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):  # 1: an answer is wrong
            raise SystemExit(f"{self.tree}: {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    def attn(self, *arguments: str, cwd: Path | None = None) -> tuple[float, float]:
        return self.run("-m", "attn", *arguments, cwd=cwd)

    def course(self, students: int) -> Path:
        """A new course in which everybody has handed in."""
        course = self.folder / f"course-{time.time_ns()}"
        self.attn("course", "new", str(course))
        self.attn("course", "build", "--course", str(course))
        self.run("-c", HAND_IN, UNIT, str(students), cwd=course)
        return course


def measured(checkout: Checkout, students: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """Each command's name and its seconds, one after the other."""
    for words in (("list",), ("check", "one_query")):
        yield f"attn {' '.join(words)}", checkout.attn(*words)
    for name in CHAPTERS:
        yield f"attn check {name} (right)", checkout.attn("check", name, "--answers", "solutions")
    for chapter in WRONG:
        answers = str(checkout.folder / f"wrong_{chapter}.py")
        yield f"attn check {chapter} (wrong)", checkout.attn("check", chapter, "--answers", answers)
        files = [str(checkout.folder / f"{chapter}_{number}.py") for number in range(ANSWERS)]
        record = str(checkout.folder / f"{time.time_ns()}.jsonl")
        grade = checkout.attn("grade", *files, "--chapter", chapter, "--record", record, "--jobs", "2")
        yield f"attn grade, {ANSWERS} answers to {chapter}", grade
    course = checkout.course(students)
    for command in ("grade", "feedback", "report", "due"):
        yield f"attn course {command}", checkout.attn("course", command, "--course", str(course))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default="HEAD~1")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--students", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(folder / "tree"), asked.commit], check=True)
        try:
            here, there = Checkout(ROOT, folder / "here"), Checkout(folder / "tree", folder / "there")
            ratios: dict[str, list[tuple[float, float, float]]] = {}
            for number in range(asked.rounds):
                # Command by command in turn, so that a busy moment hits both; who comes second finds warm caches.
                first, second = (here, there) if number % 2 else (there, here)
                both = zip(measured(first, asked.students), measured(second, asked.students), strict=True)
                for (command, one), (_, other) in both:
                    (wall, cpu), (wall_there, cpu_there) = (one, other) if first is here else (other, one)
                    ratios.setdefault(command, []).append((wall, wall / wall_there, cpu / cpu_there))
        finally:
            subprocess.run([*git, "remove", "--force", str(folder / "tree")], check=True)
    print(f"  seconds    ratio  processor   (medians of {asked.rounds}; beside {asked.commit})")
    for command, values in ratios.items():
        wall, ratio, cpu = (statistics.median(column) for column in zip(*values, strict=True))
        print(f"{wall:9.3f} {ratio:8.2f} {cpu:10.2f}   {command}")


if __name__ == "__main__":
    main()
