"""nbgrader's Autograde with fewer ways to the disk and the database; what it leaves is the same."""

from __future__ import annotations

import glob
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Grade, Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.preprocessors import SaveAutoGrades

from autograder.classroom.gradebook.calls import calling_nbgrader, succeeded
from autograder.classroom.gradebook.queries import comments_of, grades_of

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course
    from autograder.classroom.marking.judge import Judged

# What nbgrader carries from step to step, and what `attn course grade` adds to what is said there of a notebook.
Resources = dict[str, Any]
Step = tuple[NotebookNode, Resources]
READY, JUDGED = "attn_ready", "attn_judged"  # the notebook with its marks; what was found about it
NO_POINTS = "no points yet"  # in the output of a grade cell that a fault of ours left without them


def autograde(course: Course, assignment: str, student: str, judged: dict[str, tuple[NotebookNode, Judged]]) -> None:
    """Run all steps of `nbgrader autograde` on one submission; `StepFailed` gives nbgrader's reason.

    `judged`: path of a notebook -> the notebook with its marks, and what was found about it.
    """
    directory = course.directory()
    directory.assignment_id, directory.student_id = assignment, glob.escape(student)
    converter = OnePass(coursedir=directory, config=course.config)
    converter.judged = judged
    converter.force = True
    with calling_nbgrader():
        succeeded(utils.capture_log(converter))


class OnePass(Autograde):
    """Takes all steps on a notebook in one go: nbgrader writes it after the first half, and reads it again."""

    judged: dict[str, tuple[NotebookNode, Judged]]

    def init_single_notebook_resources(self, notebook_filename: str) -> Resources:
        """Send along what has been read and judged already; nbgrader's own commands do that on the way."""
        resources = super().init_single_notebook_resources(notebook_filename)
        notebook, found = self.judged[notebook_filename]
        resources["nbgrader"] |= {READY: notebook, JUDGED: found}
        return resources

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Sanitize and grade."""
        self.exporter._preprocessors = []
        for step in (*self.sanitize_preprocessors, *self.autograde_preprocessors):
            self.exporter.register_preprocessor(step)
        with utils.setenv(NBGRADER_EXECUTION="autograde"):
            BaseConverter.convert_single_notebook(self, notebook_filename)


class SaveGrades(SaveAutoGrades):
    """Enters points and comments: in one transaction, where nbgrader takes one for each cell.

    What a person has graded is to be looked at again only where something is different: nbgrader asks each time.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Step:
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            found = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            grades, comments = grades_of(gradebook, found), comments_of(gradebook, found)
            for cell in nb.cells:
                name = cell.metadata.get("nbgrader", {}).get("grade_id")
                if utils.is_grade(cell):
                    points = None if _is_fault(cell) else utils.determine_grade(cell, self.log)[0]
                    _enter(grades[name], points, about.get("is_same", False))
                if utils.is_solution(cell) or utils.is_task(cell):
                    is_untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
                    comments[name].auto_comment = "No response." if is_untouched and not utils.is_task(cell) else None
            gradebook.db.commit()
        return nb, resources


def _is_fault(cell: NotebookNode) -> bool:
    """Whether the grader failed over an exercise, so that it waits for a person or for the next grading."""
    return any(output.get("data", {}).get("text/plain") == NO_POINTS for output in cell.get("outputs", ()))


def _enter(grade: Grade, points: float | None, is_same: bool) -> None:
    if points is None and grade.auto_score is not None:
        grade.needs_manual_grade = True  # what an earlier grading gave stays
        return
    was_read = grade.manual_score is not None and not grade.needs_manual_grade
    stays = was_read and is_same and grade.auto_score == points
    grade.auto_score = points
    grade.needs_manual_grade = not stays and (grade.manual_score is not None or points is None)
