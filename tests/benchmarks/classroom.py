"""Benchmark of grading notebooks and writing feedback, compared with plain nbgrader. Prints ratios of one run.

    python tests/benchmarks/classroom.py [STUDENTS]

Every student submits one notebook with all exercises of a chapter: most correct, some wrong, some untouched. Plain
nbgrader gets the same notebooks, but its grade cells only assert that a function exists. It takes seconds for each
notebook, so it grades fewer of them. The ratios are of seconds per submission.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from autograder.chapters.chapter import read_chapter
from autograder.classroom.course.course import Course
from autograder.classroom.course.new import create_course
from autograder.classroom.release.build import build_assignments

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
STOCK = 8  # students whom stock nbgrader grades
CHAPTER, UNIT = "embeddings", "words-and-pictures"
ENVIRONMENT = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "ignore"}


def main():
    students = int([*sys.argv, 200][1])
    with tempfile.TemporaryDirectory() as folder:
        ours, stock = Path(folder) / "ours", Path(folder) / "stock"
        create_course(ours)
        build_assignments(Course(ours), lambda line: None)
        _hand_in(ours, ours / "release" / UNIT / f"{CHAPTER}.ipynb", students)
        _stock_course(stock, ours / "source" / UNIT / f"{CHAPTER}.ipynb")
        _hand_in(stock, stock / "release" / UNIT / f"{CHAPTER}.ipynb", STOCK)
        runs = {
            "attn course grade": (_timed(ours, "attn", "course", "grade", UNIT), students),
            "attn course feedback": (_timed(ours, "attn", "course", "feedback", UNIT), students),
            "nbgrader autograde": (_timed(stock, "nbgrader", "autograde", UNIT), STOCK),
            "nbgrader generate_feedback": (_timed(stock, "nbgrader", "generate_feedback", UNIT), STOCK),
            "attn course grade, nothing new": (_timed(ours, "attn", "course", "grade", UNIT), students),
        }
    each = [(wall / count, cpu / count) for (wall, cpu), count in runs.values()]
    print(f"a submission, of {students} (stock nbgrader: of {STOCK}), on {os.cpu_count()} cores")
    print("  seconds  processor")
    for name, (wall, cpu) in zip(runs, each, strict=True):
        print(f"{wall:9.3f} {cpu:10.3f}  {name}")
    (wall, cpu), (stock_wall, stock_cpu) = (map(sum, zip(*each[i : i + 2], strict=True)) for i in (0, 2))
    print(f"{wall:9.3f} {cpu:10.3f}  the whole path")
    print(f"{stock_wall:9.3f} {stock_cpu:10.3f}  the whole path with stock nbgrader")
    print(f"{stock_wall / wall:9.1f} {stock_cpu / cpu:10.1f}  times as much")


def _hand_in(course, release, students):
    """Submit a notebook for each student: two in three are correct, one in six is wrong, one in six untouched."""
    exercises = {f"{exercise.name}-answer": exercise for exercise in read_chapter(CHAPTER).exercises}
    for number in range(students):
        notebook = nbformat.read(release, as_version=4)
        for cell in notebook.cells:
            exercise = exercises.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
            if exercise and number % 6:
                cell.source = f"{exercise.source}\n# {number}"
                if number % 6 == 1:
                    cell.source = cell.source.replace("word.lower()", "word")
        folder = course / "submitted" / f"s{number:03}" / UNIT
        shutil.copytree(release.parent, folder)
        nbformat.write(notebook, folder / release.name)


def _stock_course(folder, source):
    """Create a plain nbgrader course from the same notebook, with asserts instead of `check(...)`."""
    notebook = nbformat.read(source, as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source = f"for number in range(8):\n    assert callable({cell.metadata.nbgrader.grade_id})"
    place = folder / "source" / UNIT
    shutil.copytree(source.parent, place)
    nbformat.write(notebook, place / source.name)
    (folder / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'stock'\n")
    _timed(folder, "nbgrader", "generate_assignment", UNIT)


def _timed(folder, *words):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.run([BIN / words[0], *words[1:]], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    if process.returncode:
        raise SystemExit(process.stdout + process.stderr[-2000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


if __name__ == "__main__":
    main()
