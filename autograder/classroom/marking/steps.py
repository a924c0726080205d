"""Some steps of `nbgrader autograde` are replaced, the rest is nbgrader's; `classroom/seam.py` puts them in.

1. `AnswerReader` reads whatever was handed in and keeps its text alone.
2. `RestoreCells` puts nbgrader's marks back on the cells they belong to, and what was given back into them. So it does
   what `OverwriteCells` does, without a question to the database for each cell.
3. `GradeAnswers` stands in for `Execute`: no code of a learner runs in nbgrader's process or in a kernel beside it.
   Points go where nbgrader looks for partial credit, sentences where learners read them.
4. `CheckMarks` is nbgrader's own check of the marks, which it does once for marks that all learners share.
5. `SaveGrades` enters points and comments as nbgrader does, all at once.

`attn course grade` takes all of them in one pass: what it leaves is the same.
"""

import glob
import json
import os
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import CheckCellMetadata, NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Unicode

from autograder.boundary import sandbox
from autograder.boundary.reader import read_notebook
from autograder.chapters.errors import CourseError, KitFault, NoSandbox
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.course.deadlines import refusal_of
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.gradebook.calls import calling_nbgrader, succeeded
from autograder.classroom.gradebook.queries import comments_of, grades_of
from autograder.classroom.marking.basis import is_same_answer
from autograder.classroom.marking.judge import (
    NO_POINTS,
    Judged,
    asked_in,
    judge_notebook,
    restore,
)
from autograder.classroom.marking.verdicts import Place, read_verdicts, write_verdicts
from autograder.classroom.release.restore import notebook_of, released_notebook
from autograder.worker.reading.notebooks import UNREADABLE

# What nbgrader carries from step to step, and what `attn course grade` adds to what is said there of a notebook.
Resources = ResourcesDict
Step = tuple[NotebookNode, Resources]
READY, JUDGED = "attn_ready", "attn_judged"  # the notebook with its marks; what was found about it
_checked: set[tuple[str, str]] = set()  # marks that are right: `RestoreCells` wrote them, the same for all


class AnswerReader(NotebookExporter):
    """Reads a notebook whatever state it is in; one that cannot be read becomes an empty one that says so."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.optimistic_validation = True  # the notebook is checked after all steps, not after each of them

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """As nbconvert's, which would follow a link and wait for a pipe."""
        resources = ResourcesDict() if resources is None else resources
        resources["metadata"] = resources.get("metadata") or ResourcesDict()
        resources["metadata"].update(name=Path(filename).stem, path=os.path.dirname(filename))
        ready = resources["nbgrader"].pop(READY, None)  # else nbconvert would copy the notebook with the resources
        notebook = ready or notebook_of(*read_notebook(Path(filename)))
        return self.from_notebook_node(notebook, resources, **options)


class RestoreCells(NbGraderPreprocessor):
    def preprocess(self, nb: NotebookNode, resources: Resources) -> Step:
        about = resources["nbgrader"]
        if JUDGED not in about:
            with Gradebook(about["db_url"]) as gradebook:
                released = released_notebook(gradebook, about["notebook"], about["assignment"])
            restore(nb, released, asked_in(about["notebook"], released.tests()))
        return nb, resources


class TooLate(CourseError):
    """Work that the plan does not take any more."""


class GradeAnswers(NbGraderPreprocessor):
    """Grades the notebook's answer in an isolated worker and writes points and sentences into its grade cells."""

    secret_file = Unicode("", help="The file with the course's secret, from which hidden inputs are drawn.").tag(
        config=True
    )
    no_sandbox = Bool(False, help="Run other people's code even where nothing shuts it in.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Step:
        about = resources["nbgrader"]
        place = Place(
            about["student"], about["assignment"], about["notebook"], read_timestamp(resources["metadata"]["path"])
        )
        try:
            sandbox.require(self.no_sandbox)
            course = course_in(Path(self.secret_file).parent)
            _require_in_time(course, place)
            before = read_verdicts(course.folder, place)
            judgement = about.pop(JUDGED, None) or _judge_alone(course, place)
            about["is_same"] = bool(before) and is_same_answer(before, judgement.line)
            write_verdicts(course.folder, place, judgement.line, before)
            _show(judgement, nb)
        except (CourseError, KitFault, NoSandbox) as fault:
            # nbgrader notes the submission as failed, removes what it wrote and goes on to the next.
            sentence = fault if isinstance(fault, TooLate) else f"not graded, through no fault of the learner. {fault}"
            self.log.error("%s, %s: %s", place.student, place.chapter, sentence)
            raise
        nb.metadata.pop(UNREADABLE, None)
        return nb, resources


def _judge_alone(course: Course, place: Place) -> Judged:
    """What `attn course grade` finds before it calls nbgrader, for nbgrader's own commands."""
    with course.gradebook() as gradebook:
        released = released_notebook(gradebook, place.chapter, place.assignment)
    return judge_notebook(course, place, released)[1]


def _show(judgement: Judged, nb: NotebookNode) -> None:
    """Put points and sentences where nbgrader and readers look for them."""
    outputs = dict(judgement.outputs())
    for cell in nb.cells:
        # What a person grades, an answer in words or a task, is none of our business.
        if utils.is_grade(cell) and not utils.is_solution(cell) and cell.cell_type == "code":
            cell.outputs = [outputs[cell.metadata.nbgrader.grade_id]]


def _require_in_time(course: Course, place: Place) -> None:
    planned = course.plan.assignment(place.assignment)
    if planned.late == REFUSE:
        with course.gradebook() as gradebook:
            due = gradebook.find_submission(place.assignment, place.student).duedate
        if refusal := refusal_of(planned, place.student, place.timestamp, due):
            raise TooLate(refusal)


class CheckMarks(CheckCellMetadata):
    """nbgrader's check of the marks. It takes most of a second a notebook, so marks are looked at once."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        _Marks().validate_nb(nb)
        return nb, resources


class _Marks(MetadataValidator):
    def validate_cell(self, cell: NotebookNode) -> None:
        marks = cell.cell_type, json.dumps(cell.metadata.get("nbgrader"), sort_keys=True)
        if marks not in _checked:
            super().validate_cell(cell)
            _checked.add(marks)


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

    def init_single_notebook_resources(self, notebook_filename: str) -> dict[str, Any]:
        """Send along what has been read and judged already; nbgrader's own commands do that on the way."""
        resources = super().init_single_notebook_resources(notebook_filename)
        notebook, judgement = self.judged[notebook_filename]
        resources["nbgrader"] |= {READY: notebook, JUDGED: judgement}
        return resources

    def convert_single_notebook(self, notebook_filename: str) -> None:
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
            submission_notebook = gradebook.find_submission_notebook(
                about["notebook"], about["assignment"], about["student"]
            )
            grades, comments = grades_of(gradebook, submission_notebook), comments_of(gradebook, submission_notebook)
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


def _enter(grade: Any, points: float | None, is_same: bool) -> None:
    if points is None and grade.auto_score is not None:
        grade.needs_manual_grade = True  # what an earlier grading gave stays
        return
    was_read = grade.manual_score is not None and not grade.needs_manual_grade
    stays = was_read and is_same and grade.auto_score == points
    grade.auto_score = points
    grade.needs_manual_grade = not stays and (grade.manual_score is not None or points is None)
