"""A course in a temporary folder, on which tests run a teacher's commands."""

import contextlib
import copy
import csv
import html
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from unittest import mock

import nbformat
from rich.console import Console

from autograder.chapters import curriculum
from autograder.chapters.chapter import BEGIN, END, read_chapter
from autograder.classroom.course import course as kit_course
from autograder.classroom.course.new import create_course
from autograder.classroom.release.build import build_assignments
from autograder.grading import executors
from support.grading import EXERCISES
from support.late import LazyModule
from support.missing import require

exchange = LazyModule("autograder.classroom.inbox.exchange")  # These imports take seconds.
grading = LazyModule("autograder.classroom.marking.grade")
feedback = LazyModule("autograder.classroom.returns.feedback")

UNIT_OF = {chapter: unit for unit, chapters in curriculum.UNITS.items() for chapter in chapters}
# The virtual environment is not activated here, so the commands of nbgrader and alembic are not on the path.
BARE = {key: value for key, value in os.environ.items() if not key.startswith("VIRTUAL")} | {"PATH": os.defpath}


def run(*command, cwd=None):
    process = subprocess.run(
        [sys.executable, "-W", "ignore", *map(str, command)],
        cwd=cwd,
        env=BARE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout


def new(folder, plan=None, tell=lambda line: None, **options):
    create_course(folder, **options)
    if plan:
        (folder / "course.toml").write_text(plan, encoding="utf-8")
    build_assignments(kit_course.Course(folder), tell)
    return Course(folder)


class Course:
    def __init__(self, folder):
        self.folder = Path(folder)

    @property
    def kit(self):
        return kit_course.Course(self.folder)

    def copy_to(self, folder):
        return Course(shutil.copytree(self.folder, folder))

    def attn(self, *arguments):
        """Run `attn course` in the course's folder, in this process for speed. Return the exit code and the output."""
        from autograder.cli import main as cli  # noqa: PLC0415  (its import warns, and warnings are errors)

        if arguments[0] in ("grade", "demo"):
            require("bubblewrap")
        before, output = os.getcwd(), io.StringIO()
        with (
            mock.patch.object(sys, "argv", ["attn", "course", *map(str, arguments)]),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
        ):
            os.chdir(self.folder)
            try:
                cli.main()
            except SystemExit as end:
                return end.code or 0, output.getvalue()
            finally:
                os.chdir(before)

    def does(self, *arguments):
        code, output = self.attn(*arguments)
        assert code == 0, output
        return output

    def says(self, *arguments):
        return " ".join(self.does(*arguments).split())

    def refuses(self, *arguments):
        code, output = self.attn(*arguments)
        assert code == 2, output
        return " ".join(output.split())

    def nbgrader(self, *arguments):
        if arguments[0] == "autograde":
            require("bubblewrap")
        return run("-m", "nbgrader", *arguments, cwd=self.folder)

    def grade(self, again=False, jobs=1):
        require("bubblewrap")
        names = [name for name in self.kit.select_assignments() if self.kit.list_students(name)]
        return grading.grade_course(self.kit, names, again, executors.make_executor_factory(jobs), Console(quiet=True))

    def pages(self):
        names = [name for name in self.kit.select_assignments() if self.kit.list_students(name)]
        return feedback.write_pages(self.kit, names, Console(quiet=True))

    def edit_plan(self, old, new):
        path = self.folder / "course.toml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new) if old else new + text)

    def read_roster(self, table):
        (self.folder / "table.csv").write_text(table, encoding="utf-8")
        return self.does("roster", "table.csv")

    def assert_refused(self, table):
        (self.folder / "table.csv").write_text(table, encoding="utf-8")
        return self.refuses("roster", "table.csv")

    def configure(self, lines):
        with (self.folder / "nbgrader_config.py").open("a", encoding="utf-8") as config:
            config.write(lines)

    def release(self, chapter, assignment=None):
        folder = self.folder / "release" / (assignment or UNIT_OF[chapter])
        return nbformat.read(folder / f"{chapter}.ipynb", as_version=4)

    def open_exchange(self, folder, *assignments):
        folder.mkdir()
        folder.chmod(0o777)
        kit = self.kit
        exchange.use_exchange(kit, folder)
        exchange.release(kit, assignments)

    def submit(self, student, notebook, chapter, files=(), name=None, timestamp=None, assignment=None):
        """Submit a notebook (or its text) and other `files` (path -> text), and return the submission's folder."""
        folder = self.folder / "submitted" / student / (assignment or UNIT_OF[chapter])
        text = notebook if isinstance(notebook, str) else nbformat.writes(notebook, ensure_ascii=True)
        all_files = dict(files) | {name or f"{chapter}.ipynb": text}
        all_files |= {"timestamp.txt": timestamp} if timestamp else {}
        for path, content in all_files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
        return folder

    def hand_in(self, student, assignment, chapter="one_query", when=None, wrong=()):
        """Submit a solved notebook; `wrong` is the text of its softmax to be replaced, and the new text."""
        notebook = solved(self.release(chapter, assignment))
        if wrong:
            change(notebook, "softmax", *wrong)
        self.submit(student, notebook, chapter, timestamp=when, assignment=assignment)

    def zip(self, path, files):
        """Write a zip file of solved notebooks, `files`: path in it -> (chapter, assignment). Return its path."""
        with zipfile.ZipFile(path, "w") as archive:
            for name, released in files.items():
                archive.writestr(name, nbformat.writes(solved(self.release(*released))))
        return path

    def read_points(self, assignment):
        """Return student -> points in the table of `attn course overview`."""
        self.does("overview", "--csv", "overview.csv")
        with (self.folder / "overview.csv").open(encoding="utf-8") as file:
            return {row["student"]: row[assignment] for row in csv.DictReader(file)}

    def scores(self, student, chapter):
        with self.kit.open_gradebook() as gradebook:
            grades = gradebook.find_submission_notebook(chapter, UNIT_OF[chapter], student).grades
            # Exactly the cells without points need a manual grade.
            assert all(grade.needs_manual_grade == (grade.auto_score is None) for grade in grades)
            return {grade.name: grade.auto_score for grade in grades}

    def read_everything(self):
        with self.kit.open_gradebook() as gradebook:
            return {
                (submission.student_id, assignment.name, notebook.name): (
                    submission.timestamp,
                    submission.total_seconds_late,
                    notebook.late_submission_penalty,
                    {grade.name: (grade.auto_score, grade.manual_score, grade.score) for grade in notebook.grades},
                    {each.name: (each.auto_comment, each.manual_comment) for each in notebook.comments},
                )
                for assignment in gradebook.assignments
                for submission in assignment.submissions
                for notebook in submission.notebooks
            }

    def autograded(self, student, chapter):
        path = self.folder / "autograded" / student / UNIT_OF[chapter] / f"{chapter}.ipynb"
        return nbformat.read(path, as_version=4)

    def feedback(self, student, chapter):
        return (self.folder / "feedback" / student / UNIT_OF[chapter] / f"{chapter}.html").read_text(encoding="utf-8")

    def read(self, student, chapter):
        return _text(self.feedback(student, chapter))

    def read_message(self, student, exercise):
        page = self.feedback(student, EXERCISES[exercise].chapter)
        _, _, rest = page.partition(f'id="{exercise}"')
        return _text(re.search(r"<section class=\"attn\".*?</style>(.*?)</section>", rest, re.DOTALL)[1])


def _text(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def points_of(chapter):
    return {exercise.name: float(exercise.points) for exercise in read_chapter(chapter).exercises}


def cell_of(notebook, grade_id):
    return next(cell for cell in notebook.cells if _grade_id(cell) == grade_id)


def _grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def solved(notebook):
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        name, is_answer, _ = _grade_id(cell).partition("-answer")
        if is_answer:
            lines = EXERCISES[name].source.splitlines()
            cell.source = "\n".join(line for line in lines if BEGIN not in line and END not in line)
    return notebook


def change(notebook, exercise, old, new):
    cell = cell_of(notebook, f"{exercise}-answer")
    assert old in cell.source
    cell.source = cell.source.replace(old, new)


def body_lines(chapter):
    """Yield the lines of the solutions' bodies, except for those that another cell or a stub also contains."""
    chapter = read_chapter(chapter)
    shown = "\n".join(cell.source for cell in chapter.cells if "exercise" not in cell.options)
    shown += "\n".join(exercise.stub for exercise in chapter.exercises)
    for exercise in chapter.exercises:
        bodies = re.findall(f"{BEGIN}(.*?){END}", exercise.source, re.DOTALL)
        lines = (line.strip() for body in bodies for line in body.splitlines())
        yield from (line for line in lines if line and line not in shown)


def files_in(folder):
    paths = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in paths if "__pycache__" not in path.parts}
