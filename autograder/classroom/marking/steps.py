"""Steps of ours in `nbgrader autograde`, for nbgrader's own command and Formgrader's button; the rest is nbgrader's.

1. `AnswerReader` reads whatever was handed in and keeps its text alone.
2. `RestoreCells` puts nbgrader's marks back on the cells they belong to, and what was given back into them.
3. `GradeAnswers` stands in for `Execute`: no code of a learner runs in nbgrader's process or in a kernel beside it.
4. `EnterGrades` enters points, comments and penalty as `attn course grade` does.
"""

import os
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Unicode

from autograder.boundary import sandbox
from autograder.boundary.reader import read_notebook
from autograder.chapters.errors import CourseError, KitFault, NoSandbox
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.marking.enter import enter
from autograder.classroom.marking.judge import Judged, asked_in, judge_notebook, restore
from autograder.classroom.marking.submissions import arrival_of
from autograder.classroom.marking.verdicts import Place, read_verdicts, write_verdicts
from autograder.classroom.release.restore import notebook_of, released_notebook

Step = tuple[NotebookNode, ResourcesDict]
JUDGED = "attn_judged"  # among what nbgrader carries from step to step: what was found about a notebook


class AnswerReader(NotebookExporter):
    """Reads a notebook whatever state it is in; one that cannot be read becomes an empty one that says so."""

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """As nbconvert's, which would follow a link and wait for a pipe."""
        resources = ResourcesDict() if resources is None else resources
        resources["metadata"] = resources.get("metadata") or ResourcesDict()
        resources["metadata"].update(name=Path(filename).stem, path=os.path.dirname(filename))
        return self.from_notebook_node(notebook_of(*read_notebook(Path(filename))), resources, **options)


class RestoreCells(NbGraderPreprocessor):
    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Step:
        about = resources["nbgrader"]
        course = course_in(Path(self.config.GradeAnswers.secret_file).parent)
        with course.gradebook() as gradebook:
            released = released_notebook(gradebook, about["notebook"], about["assignment"])
        restore(nb, released, asked_in(about["notebook"], released.tests()))
        return nb, resources


class TooLate(CourseError):
    """Work that the plan does not take any more."""


class GradeAnswers(NbGraderPreprocessor):
    secret_file = Unicode("", help="The file with the course's secret, from which hidden inputs are drawn.").tag(
        config=True
    )
    no_sandbox = Bool(False, help="Run other people's code even where nothing shuts it in.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Step:
        about = resources["nbgrader"]
        student, name = about["student"], about["assignment"]
        place = Place(student, name, about["notebook"], read_timestamp(resources["metadata"]["path"]))
        try:
            sandbox.require(self.no_sandbox)
            course = course_in(Path(self.secret_file).parent)
            if refusal := arrival_of(course, name, student).refusal(course.plan, student):
                raise TooLate(refusal)
            before, judged = read_verdicts(course.folder, place), _judge(course, place)
            write_verdicts(course.folder, place, judged.line, before)
        except (CourseError, KitFault, NoSandbox) as fault:
            # nbgrader notes the submission as failed, removes what it wrote and goes on to the next.
            sentence = fault if isinstance(fault, TooLate) else f"not graded, through no fault of the learner. {fault}"
            self.log.error("%s, %s: %s", place.student, place.chapter, sentence)
            raise
        about[JUDGED] = judged
        notebook: Any = nbformat.reads(judged.notebook, as_version=4)
        return notebook, resources


def _judge(course: Course, place: Place) -> Judged:
    with course.gradebook() as gradebook:
        released = released_notebook(gradebook, place.chapter, place.assignment)
    return judge_notebook(course, place, released)


class EnterGrades(NbGraderPreprocessor):
    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Step:
        about = resources["nbgrader"]
        course = course_in(Path(self.config.GradeAnswers.secret_file).parent)
        student, name = about["student"], about["assignment"]
        with course.gradebook() as gradebook:
            arrival = arrival_of(course, name, student)
            enter(gradebook, course, student, arrival, {about["notebook"]: about.pop(JUDGED)})
            gradebook.db.commit()
        return nb, resources
