"""A course in a temporary folder, driven from outside as a teacher would."""

import copy
import html
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import nbformat

from autograder import curriculum
from autograder.chapter import BEGIN, END, read_chapter

EXERCISES = {each.name: each for chapter in curriculum.CHAPTERS for each in read_chapter(chapter).exercises}
UNIT_OF = {chapter: unit for unit, chapters in curriculum.UNITS.items() for chapter in chapters}
# As in an environment that nobody activated: nbgrader's and alembic's commands are not on the path.
BARE = {key: value for key, value in os.environ.items() if not key.startswith("VIRTUAL")} | {"PATH": os.defpath}


def run(*command, cwd=None):
    """A command's exit code and all it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *map(str, command)],
        cwd=cwd,
        env=BARE | {"OMP_NUM_THREADS": "1"},  # two of these run at a time
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


class Course:
    """A course's folder."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def copied_to(self, folder):
        return Course(shutil.copytree(self.folder, folder))

    def attn(self, *arguments):
        return run("-m", "autograder.cli", "course", *arguments)

    def nbgrader(self, *arguments):
        return run("-m", "nbgrader", *arguments, cwd=self.folder)

    def release(self, chapter):
        """A copy of the notebook that learners get."""
        return nbformat.read(self.folder / "release" / UNIT_OF[chapter] / f"{chapter}.ipynb", as_version=4)

    def submit(self, student, notebook, chapter, files=()):
        """Hand in a notebook, or the text of a file, and other files: a dict of path -> text."""
        folder = self.folder / "submitted" / student / UNIT_OF[chapter]
        text = notebook if isinstance(notebook, str) else nbformat.writes(notebook, ensure_ascii=True)
        for path, content in (dict(files) | {f"{chapter}.ipynb": text}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")

    def scores(self, student, chapter):
        """What the gradebook holds: exercise -> automatic score."""
        query = """
            select base_cell.name, grade.auto_score, grade.needs_manual_grade
            from grade join base_cell on base_cell.id = grade.cell_id
            join notebook on notebook.id = base_cell.notebook_id
            join submitted_notebook on submitted_notebook.id = grade.notebook_id
            join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
            where submitted_assignment.student_id = ? and notebook.name = ?"""
        gradebook = sqlite3.connect(self.folder / "gradebook.db")
        try:
            rows = gradebook.execute(query, (student, chapter)).fetchall()
        finally:
            gradebook.close()
        # What is not graded yet asks for a teacher, and nothing else does.
        assert all(needs_manual_grade == (score is None) for _, score, needs_manual_grade in rows)
        return {name: score for name, score, _ in rows}

    def autograded(self, student, chapter):
        """What nbgrader made of a submission."""
        path = self.folder / "autograded" / student / UNIT_OF[chapter] / f"{chapter}.ipynb"
        return nbformat.read(path, as_version=4)

    def feedback(self, student, chapter):
        """The feedback page, as HTML."""
        return (self.folder / "feedback" / student / UNIT_OF[chapter] / f"{chapter}.html").read_text(encoding="utf-8")

    def read(self, student, chapter):
        """The feedback page, as text."""
        return _text(self.feedback(student, chapter))

    def said(self, student, exercise):
        """What the feedback page says below an exercise's grade cell, as text."""
        page = self.feedback(student, EXERCISES[exercise].chapter)
        _, _, rest = page.partition(f"<code>{exercise}</code></span>")
        return _text(re.search(r"<section class=\"attn\".*?</style>(.*?)</section>", rest, re.DOTALL)[1])


def _text(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def points_of(chapter):
    """What each exercise of a chapter is worth."""
    return {exercise.name: float(exercise.points) for exercise in read_chapter(chapter).exercises}


def cell_of(notebook, grade_id):
    """The cell with this name."""
    return next(cell for cell in notebook.cells if _grade_id(cell) == grade_id)


def _grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def solved(notebook):
    """The released notebook with every exercise solved."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        name, is_answer, _ = _grade_id(cell).partition("-answer")
        if is_answer:
            lines = EXERCISES[name].source.splitlines()
            cell.source = "\n".join(line for line in lines if BEGIN not in line and END not in line)
    return notebook


def change(notebook, exercise, old, new):
    """Replace a part of an exercise's answer."""
    cell = cell_of(notebook, f"{exercise}-answer")
    assert old in cell.source
    cell.source = cell.source.replace(old, new)


def body_lines(chapter):
    """Lines of the solutions' bodies, which learners may not see, unless what is given shows the same line."""
    chapter = read_chapter(chapter)
    shown = "\n".join(cell.source for cell in chapter.cells if "exercise" not in cell.options)
    shown += "\n".join(exercise.stub for exercise in chapter.exercises)
    for exercise in chapter.exercises:
        bodies = re.findall(f"{BEGIN}(.*?){END}", exercise.source, re.DOTALL)
        lines = (line.strip() for body in bodies for line in body.splitlines())
        yield from (line for line in lines if line and line not in shown)
