"""The interface to nbgrader, which a course's `nbgrader_config.py` imports under this public, stable name.

Two steps replace those of `nbgrader autograde`, in nbgrader's own command and with Formgrader's button:

1. `AnswerReader` reads a submitted file in any state and keeps only its text.
2. `GradeAnswers` restores the cells and judges in workers, because no learner's code may run in nbgrader's process or
   in its kernel. It enters points, comments and penalty as `attn course grade` does, but no waivers.
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
from nbgrader.preprocessors import AssignLatePenalties, Execute, NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Unicode
from traitlets.config import Config

from autograder.api import read_notebook, sandbox
from autograder.chapters.chapter import STUB
from autograder.chapters.errors import BrokenKitError, CourseError, MissingSandboxError
from autograder.classroom.course.course import open_course, open_own_chapters, read_machine_config
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.gradebook import calls, queries
from autograder.classroom.inbox.exchange import AtomicRelease, SafeCollect
from autograder.classroom.marking.enter import enter_results, make_counted
from autograder.classroom.marking.judge import judge_notebook
from autograder.classroom.marking.submissions import read_arrival
from autograder.classroom.marking.verdicts import NotebookPlace, write_verdicts
from autograder.classroom.release.restore import make_notebook
from autograder.classroom.returns.feedback_page import FeedbackPage
from autograder.classroom.roster.counted import find_submitters, read_counted, write_counted
from autograder.classroom.roster.until import Deadlines

Step = tuple[NotebookNode, ResourcesDict]


class AnswerReader(NotebookExporter):
    """An exporter that reads damaged notebooks, too. An unreadable one becomes an empty notebook with the reason."""

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Return (notebook, resources) for nbconvert, without following a link or waiting for a pipe."""
        resources = ResourcesDict() if resources is None else resources
        resources["metadata"] = resources.get("metadata") or ResourcesDict()
        resources["metadata"].update(name=Path(filename).stem, path=os.path.dirname(filename))
        return self.from_notebook_node(make_notebook(*read_notebook(Path(filename))), resources, **options)


class GradeAnswers(NbGraderPreprocessor):
    secret_file = Unicode("", help="The file of the secret that hidden inputs are drawn from.").tag(config=True)
    no_sandbox = Bool(False, help="Run other people's code even without a sandbox.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Step:
        context = resources["nbgrader"]
        student, name = context["student"], context["assignment"]
        place = NotebookPlace(student, name, context["notebook"], read_timestamp(resources["metadata"]["path"]))
        refusal = ""
        try:
            course = open_course(Path(self.secret_file).parent)
            sandbox.require_sandbox(self.no_sandbox)
            records = read_counted(course.folder, name)
            submitter_of = find_submitters(course, name)
            members = [member for member, submitter in submitter_of.items() if submitter == student != member]
            students = student, *members
            arrival = read_arrival(course, Deadlines(course, name), students)
            if refusal := arrival.explain_refusal(course.plan, student):
                if student not in records:
                    # Remove the submission, because nbgrader has entered 0 points, which an export would contain.
                    with course.open_gradebook() as gradebook:
                        gradebook.remove_submission(name, student)
                raise CourseError(refusal)
            released = queries.read_released_notebooks(course.query, name)[place.chapter]
            result = judge_notebook(course, place, released)
        except (CourseError, BrokenKitError, MissingSandboxError) as fault:
            sentence = refusal or f"not graded, through no fault of the learner. {fault}"
            self.log.error("%s, %s: %s", place.student, place.chapter, sentence)
            raise
        # Only `attn course grade` may enter waivers, because it saves the manual scores that they overwrite.
        arrival = replace(arrival, assignment=replace(arrival.assignment, waived={}))
        with course.open_gradebook() as gradebook:
            enter_results(gradebook, course, student, arrival, {place.chapter: result})
            work = queries.read_graded_submissions(calls.make_query_function(gradebook), name, student)[student]
            new = make_counted(work, students, arrival, records.get(student))
            gradebook.db.commit()
        if record := records.get(student):
            new = replace(new, by_hand=record.by_hand, waived=record.waived)
        write_counted(course.folder, name, records | {student: new})
        write_verdicts(course.folder, place, result.line)
        notebook: Any = nbformat.reads(result.notebook, as_version=4)
        return notebook, resources


def configure(c: Config, course: Path) -> None:
    open_own_chapters(course)
    c.CourseDirectory.root = str(Path(course).resolve())
    c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}
    grade: list[type] = Autograde.autograde_preprocessors.default() or []
    c.Autograde.exporter_class = AnswerReader
    c.Autograde.sanitize_preprocessors = list[type]()
    grade = [step for step in grade if step not in (SaveAutoGrades, AssignLatePenalties)]
    c.Autograde.autograde_preprocessors = [GradeAnswers if step is Execute else step for step in grade]
    c.GenerateFeedback.exporter_class = FeedbackPage
    c.GenerateFeedback.preprocessors = list[type]()
    if not read_machine_config().ExchangeFactory:
        c.ExchangeFactory.collect, c.ExchangeFactory.release_assignment = SafeCollect, AtomicRelease
    c.GradeAnswers.secret_file = str(Path(course).resolve() / "secret")
