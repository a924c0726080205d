"""nbgrader's own CSV: every assignment, every student, one line each."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from nbgrader.plugins import CsvExportPlugin

from autograder.chapters.files import writing
from autograder.classroom.returns.exports.scores import read_scores
from autograder.classroom.roster.table import csv_text

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


def export(course: Course, path: Path, assignment: str | None = None):
    """Let nbgrader's exporter write the grades of a course; the sentences for the teacher.

    `assignment`: all of them where none is given.
    """
    notes = [note for each in read_scores(course, assignment) for note in each.notes()]
    exporter = CsvExportPlugin(to=str(path), assignment=[assignment] if assignment else [])
    with writing(path), course.gradebook() as gradebook:
        exporter.export(_Quoted(gradebook, course))
    return notes


class _Quoted:
    """A gradebook whose students' texts are CSV fields already: nbgrader's exporter puts bare commas between them."""

    def __init__(self, gradebook, course):
        self.gradebook, self.course = gradebook, course
        self.ids = {_field(student.id): student.id for student in gradebook.students}

    @property
    def assignments(self):
        return self.gradebook.assignments

    @property
    def students(self):
        names = ("id", "first_name", "last_name", "email")
        return [
            SimpleNamespace(**{name: _field(getattr(student, name)) for name in names})
            for student in self.gradebook.students
            if self.course.is_included(student.id)
        ]

    def find_submission(self, assignment, student):
        return self.gradebook.find_submission(assignment, self.ids[student])


def _field(text):
    return csv_text([[text]], "") if text else ""
