"""The interface to nbgrader: what a course's `nbgrader_config.py` imports, under a name that is public and stable.

Its steps run in nbgrader's own command and with Formgrader's button; the rest of `nbgrader autograde` is unchanged.

1. `AnswerReader` reads whatever was submitted and keeps only its text.
2. `RestoreCells` restores nbgrader's marks and the source of given cells.
3. `GradeAnswers` replaces `Execute`, because no code of a learner may run in nbgrader's process or in its
   kernel. It also replaces the steps that enter points, comments and penalty, as `attn course grade` does.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, Execute, NbGraderPreprocessor, OverwriteCells, SaveAutoGrades
from traitlets import Bool, Unicode
from traitlets.config import Config

from autograder.api import read_notebook, sandbox
from autograder.chapters.chapter import STUB
from autograder.chapters.errors import CourseError, KitFault, NoSandbox
from autograder.classroom.course.course import course_in, machine_config, open_own
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.gradebook import calls, queries
from autograder.classroom.inbox.exchange import COLLECT, RELEASE
from autograder.classroom.marking.enter import counted_of, enter
from autograder.classroom.marking.judge import asked_in, judge_notebook, restore
from autograder.classroom.marking.submissions import arrival_of
from autograder.classroom.marking.verdicts import Place, read_verdicts, write_verdicts
from autograder.classroom.release.restore import notebook_of
from autograder.classroom.returns.feedback.page import FeedbackPage
from autograder.classroom.roster.groups import authors, read_counted, write_counted
from autograder.classroom.roster.until import Deadlines

Step = tuple[NotebookNode, ResourcesDict]


class AnswerReader(NotebookExporter):
    """An exporter that reads a notebook in any state; an unreadable one becomes an empty one that says so."""

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Return the notebook, like nbconvert, but without following a link or waiting for a pipe."""
        resources = ResourcesDict() if resources is None else resources
        resources["metadata"] = resources.get("metadata") or ResourcesDict()
        resources["metadata"].update(name=Path(filename).stem, path=os.path.dirname(filename))
        return self.from_notebook_node(notebook_of(*read_notebook(Path(filename))), resources, **options)


class RestoreCells(NbGraderPreprocessor):
    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Step:
        about = resources["nbgrader"]
        course = course_in(Path(self.config.GradeAnswers.secret_file).parent)
        released = queries.released(course.read, about["assignment"])[about["notebook"]]
        restore(nb, released, asked_in(about["notebook"], released.tests()))
        return nb, resources


class GradeAnswers(NbGraderPreprocessor):
    secret_file = Unicode("", help="The file of the secret that hidden inputs are drawn from.").tag(config=True)
    no_sandbox = Bool(False, help="Run other people's code even without a sandbox.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Step:
        about = resources["nbgrader"]
        student, name = about["student"], about["assignment"]
        place = Place(student, name, about["notebook"], read_timestamp(resources["metadata"]["path"]))
        refusal = ""
        try:
            course = course_in(Path(self.secret_file).parent)
            sandbox.require_sandbox(self.no_sandbox)
            counted = read_counted(course.folder, name)
            others = [who for who, author in authors(course, name).items() if author == student != who]
            arrival = arrival_of(course, Deadlines(course, name), (student, *others))
            if refusal := arrival.refusal(course.plan, student):
                if student not in counted:
                    with course.gradebook() as gradebook:  # or an export would write the 0 that nbgrader has entered
                        gradebook.remove_submission(name, student)
                raise CourseError(refusal)
            released = queries.released(course.read, name)[place.chapter]
            before, judged = read_verdicts(course.folder, place), judge_notebook(course, place, released)
        except (CourseError, KitFault, NoSandbox) as fault:
            # nbgrader marks the submission as failed, removes what it wrote and continues with the next.
            sentence = refusal or f"not graded, through no fault of the learner. {fault}"
            self.log.error("%s, %s: %s", place.student, place.chapter, sentence)
            raise
        # `attn course grade` enters what was waived, because it keeps what a person gave.
        arrival = replace(arrival, planned=replace(arrival.planned, waived={}))
        with course.gradebook() as gradebook:
            enter(gradebook, course, student, arrival, {place.chapter: judged})
            new = counted_of(calls.reader_of(gradebook), (student, *others), arrival, counted.get(student))
            gradebook.db.commit()
        if was := counted.get(student):
            new = replace(new, by_hand=was.by_hand, waived=was.waived)
        write_counted(course.folder, name, counted | {student: new})
        write_verdicts(course.folder, place, judged.line, before)
        notebook: Any = nbformat.reads(judged.notebook, as_version=4)
        return notebook, resources


def configure(c: Config, course: Path) -> None:
    """Configure nbgrader for the course of this kit in a folder."""
    open_own(course)
    c.CourseDirectory.root = str(Path(course).resolve())
    c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}
    sanitize: list[type] = Autograde.sanitize_preprocessors.default() or []
    grade: list[type] = Autograde.autograde_preprocessors.default() or []
    c.Autograde.exporter_class = AnswerReader
    c.Autograde.sanitize_preprocessors = [RestoreCells, *(step for step in sanitize if step is not OverwriteCells)]
    grade = [step for step in grade if step not in (SaveAutoGrades, AssignLatePenalties)]
    c.Autograde.autograde_preprocessors = [GradeAnswers if step is Execute else step for step in grade]
    c.GenerateFeedback.exporter_class = FeedbackPage
    c.GenerateFeedback.preprocessors = list[type]()  # the page queries the gradebook itself
    if not machine_config().ExchangeFactory:  # a hub's exchange has its own collector
        c.ExchangeFactory.collect, c.ExchangeFactory.release_assignment = COLLECT, RELEASE
    c.GradeAnswers.secret_file = str(Path(course).resolve() / "secret")
