"""A course in a temporary folder, driven from outside as a teacher would."""

import copy
import html
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import nbformat

from autograder.chapter import BEGIN, END, read_chapter

UNIT, CHAPTER = "attention-basics", "one_query"
POINTS = {exercise.name: float(exercise.points) for exercise in read_chapter(CHAPTER).exercises}
# As in an environment that nobody activated: nbgrader's and alembic's commands are not on the path.
BARE = {key: value for key, value in os.environ.items() if not key.startswith("VIRTUAL")} | {"PATH": os.defpath}


def run(*command, cwd=None):
    """A command's exit code and all it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *map(str, command)],
        cwd=cwd,
        env=BARE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


class Course:
    """A course's folder."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def attn(self, *arguments):
        return run("autograder.cli", "course", *arguments)

    def nbgrader(self, *arguments):
        return run("nbgrader", *arguments, cwd=self.folder)

    def release(self, chapter=CHAPTER):
        """A copy of the notebook that learners get."""
        return nbformat.read(self.folder / "release" / UNIT / f"{chapter}.ipynb", as_version=4)

    def submit(self, student, notebook, chapter=CHAPTER):
        """Hand in a notebook, or the text of a file."""
        path = self.folder / "submitted" / student / UNIT / f"{chapter}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = notebook if isinstance(notebook, str) else nbformat.writes(notebook, ensure_ascii=True)
        path.write_text(text, encoding="utf-8")

    def scores(self, student, chapter=CHAPTER):
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

    def feedback(self, student, chapter=CHAPTER):
        """The feedback page, as HTML."""
        return (self.folder / "feedback" / student / UNIT / f"{chapter}.html").read_text(encoding="utf-8")

    def said(self, student, exercise):
        """What the feedback page says below an exercise's grade cell, as text."""
        _, _, rest = self.feedback(student).partition(f"<code>{exercise}</code></span>")
        result = re.search(r"<div style=\"border-left.*?</div>", rest, re.DOTALL)[0]
        return html.unescape(re.sub(r"<[^>]*>", "", result))


def cell_of(notebook, grade_id):
    """The cell with this name."""
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def without_markers(source):
    return "\n".join(line for line in source.splitlines() if BEGIN not in line and END not in line)


def solved(notebook, chapter=CHAPTER):
    """The released notebook with every exercise solved."""
    notebook = copy.deepcopy(notebook)
    for exercise in read_chapter(chapter).exercises:
        cell_of(notebook, f"{exercise.name}-answer").source = without_markers(exercise.source)
    return notebook


def change(notebook, exercise, old, new):
    """Replace a part of an exercise's answer."""
    cell = cell_of(notebook, f"{exercise}-answer")
    assert old in cell.source
    cell.source = cell.source.replace(old, new)


def body_lines(chapter=CHAPTER):
    """Lines of the solutions' bodies, which learners may not see, unless a picture uses the same line."""
    chapter = read_chapter(chapter)
    shown = "\n".join(cell.source for cell in chapter.cells if "exercise" not in cell.options)
    for exercise in chapter.exercises:
        body = exercise.source.partition(BEGIN)[2].partition(END)[0]
        yield from (line.strip() for line in body.splitlines() if line.strip() and line.strip() not in shown)
