"""Where nbgrader meets the grader: some steps of `nbgrader autograde` are replaced, the rest is nbgrader's.

1. `AnswerReader` reads whatever was handed in and keeps its text alone.
2. `RestoreCells` puts nbgrader's marks back on the cells they belong to.
3. `GradeAnswers` stands in for `Execute`: no code of a learner runs in nbgrader's process or in a kernel beside it.
   Points go where nbgrader looks for partial credit, sentences where learners read them.
4. `CheckMarks` is nbgrader's own check of the marks, which it does once for marks that all learners share.
"""

import json
import os
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import v4
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import CheckCellMetadata, Execute, GetGrades, NbGraderPreprocessor
from traitlets import Bool, Unicode

from autograder.boundary import sandbox
from autograder.boundary.reader import read_notebook
from autograder.chapters.chapter import STUB
from autograder.chapters.errors import CourseError, KitFault, NoSandbox
from autograder.classroom.asked import asked_in
from autograder.classroom.course import course_in
from autograder.classroom.exchange import COLLECT
from autograder.classroom.feedback.page import FeedbackPage
from autograder.classroom.judge import Judged, Place, judge, known_key, read_for_grading, write_verdicts
from autograder.classroom.plan import REFUSE
from autograder.classroom.restore import notebook_of, released_notebook, restored
from autograder.classroom.secret import secret_of
from autograder.classroom.times import read_timestamp, refusal_of
from autograder.worker.reading.notebooks import UNREADABLE

OUR_FAULT = "not graded, through no fault of the learner"

# (Path of the notebook, key) -> Judged: what `attn course grade` has found already, in processes of its own.
judged = {}


def remember(line, shown):
    """Keep what was found about a notebook until nbgrader's steps come to it."""
    judged[line["answer"], line["key"]] = Judged(line, shown)


def configure(c, course):
    """Set what nbgrader needs in a course of this kit.

    Parameters
    ----------
    c : traitlets.config.Config
    course : pathlib.Path
        The course's folder.
    """
    c.CourseDirectory.root = str(Path(course).resolve())
    c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}
    ours = {Execute: GradeAnswers, CheckCellMetadata: CheckMarks}
    c.Autograde.exporter_class = AnswerReader
    c.Autograde.sanitize_preprocessors = [
        RestoreCells,
        *(ours.get(step, step) for step in Autograde.sanitize_preprocessors.default()),
    ]
    c.Autograde.autograde_preprocessors = [ours.get(step, step) for step in Autograde.autograde_preprocessors.default()]
    c.GenerateFeedback.exporter_class = FeedbackPage
    c.GenerateFeedback.preprocessors = [GetGrades]  # without nbconvert's styles: the page has its own
    c.ExchangeFactory.collect = COLLECT
    c.GradeAnswers.secret_file = str(Path(course).resolve() / "secret")


class AnswerReader(NotebookExporter):
    """Reads a notebook whatever state it is in; one that cannot be read becomes an empty one that says so."""

    def __init__(self, **options):
        super().__init__(**options)
        self.optimistic_validation = True  # the notebook is checked after all steps, not after each of them

    def from_filename(self, filename, resources=None, **options):
        """As nbconvert's, which would follow a link and wait for a pipe."""
        resources = ResourcesDict() if resources is None else resources
        resources["metadata"] = resources.get("metadata") or ResourcesDict()
        resources["metadata"].update(name=Path(filename).stem, path=os.path.dirname(filename))
        return self.from_notebook_node(notebook_of(*read_notebook(filename)), resources, **options)


class RestoreCells(NbGraderPreprocessor):
    """Gives each cell the marks it was released with."""

    def preprocess(self, nb, resources):
        place = resources["nbgrader"]
        with Gradebook(place["db_url"]) as gradebook:
            nb.cells = restored(nb.cells, released_notebook(gradebook, place["notebook"], place["assignment"]))
        return nb, resources


class GradeAnswers(NbGraderPreprocessor):
    """Grades the notebook's answer in an isolated worker and writes points and sentences into its grade cells."""

    secret_file = Unicode("", help="The file with the course's secret, from which hidden inputs are drawn.").tag(
        config=True
    )
    no_sandbox = Bool(False, help="Run other people's code even where nothing shuts it in.").tag(config=True)

    locate = Bool(False, help="Look for the lines of mistakes too, which takes longer.").tag(config=True)

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        place = Place(
            about["student"], about["assignment"], about["notebook"], read_timestamp(resources["metadata"]["path"])
        )
        try:
            sandbox.require(self.no_sandbox)
            _require_in_time(course_in(Path(self.secret_file).parent), place)
            self._grade(place, nb)
        except (CourseError, KitFault, NoSandbox) as fault:
            # nbgrader notes the submission as failed, removes what it wrote and goes on to the next.
            self.log.error("%s, %s: %s. %s", place.student, place.chapter, OUR_FAULT, fault)
            raise
        nb.metadata.pop(UNREADABLE, None)
        return nb, resources

    def _grade(self, place, nb):
        # What a person grades, an answer in words or a task, is none of our business.
        grade_cells = [
            cell
            for cell in nb.cells
            if utils.is_grade(cell) and not utils.is_solution(cell) and cell.cell_type == "code"
        ]
        marks = [cell.metadata.nbgrader for cell in grade_cells]
        tests = {its.grade_id: (its.points, cell.source) for its, cell in zip(marks, grade_cells, strict=True)}
        course = course_in(Path(self.secret_file).parent)
        secret = secret_of(course, place.assignment)
        asked = asked_in(place.chapter, tests, course.carries_forward(place.assignment))
        answer, problem = read_for_grading(place.path, nb, asked)
        known = judged.get((place.path, known_key(asked, answer, secret)))
        found = known or judge(place, asked, answer, problem, secret, self.locate)
        write_verdicts(course.folder, place, found.line)
        points = {}
        for exercise in found.line["exercises"]:
            if exercise["outcome"] == "fault":
                raise KitFault(exercise["message"])
            points[exercise["exercise"]] = exercise["points"]
        for cell in grade_cells:
            name = cell.metadata.nbgrader.grade_id
            # Without an output nbgrader would give all points, so every grade cell gets one: points as partial
            # credit, and what browsers show.
            data = {"text/plain": f"{float(points[name])}", "text/html": found.shown[name]}
            cell.outputs = [v4.new_output("execute_result", data)]


def _require_in_time(course, place):
    """Raise `CourseError` where the plan takes no work that comes late, and this did."""
    planned = course.plan.assignment(place.assignment)
    if planned and planned.late == REFUSE:
        with course.gradebook() as gradebook:
            due = gradebook.find_submission(place.assignment, place.student).duedate
        if told := refusal_of(planned, place.student, place.timestamp, due):
            raise CourseError(told)


class CheckMarks(CheckCellMetadata):
    """nbgrader's check of the marks. It takes most of a second a notebook, so marks are looked at once."""

    def preprocess(self, nb, resources):
        _Marks().validate_nb(nb)
        return nb, resources


class _Marks(MetadataValidator):
    def validate_cell(self, cell):
        marks = cell.cell_type, json.dumps(cell.metadata.get("nbgrader"), sort_keys=True)
        if marks not in _checked:
            super().validate_cell(cell)
            _checked.add(marks)


_checked = set()  # of marks that are right; all learners share them, since `RestoreCells` wrote them
