"""Where nbgrader meets the grader: what a course's `nbgrader_config.py` calls. This address is public, and stays."""

from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, Execute, OverwriteCells, SaveAutoGrades
from traitlets.config import Config

from autograder.chapters.chapter import STUB
from autograder.classroom.course.course import machine_config, open_own
from autograder.classroom.inbox.exchange import COLLECT, RELEASE, plugins_of
from autograder.classroom.marking.steps import AnswerReader, EnterGrades, GradeAnswers, RestoreCells
from autograder.classroom.returns.feedback.page import FeedbackPage


def configure(c: Config, course: Path) -> None:
    """Set what nbgrader needs in a course of this kit, which lies in that folder."""
    open_own(course)
    c.CourseDirectory.root = str(Path(course).resolve())
    c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}
    ours: dict[type, type] = {Execute: GradeAnswers, SaveAutoGrades: EnterGrades}
    sanitize: list[type] = Autograde.sanitize_preprocessors.default() or []
    grade: list[type] = Autograde.autograde_preprocessors.default() or []
    c.Autograde.exporter_class = AnswerReader
    c.Autograde.sanitize_preprocessors = [RestoreCells, *(step for step in sanitize if step is not OverwriteCells)]
    c.Autograde.autograde_preprocessors = [ours.get(step, step) for step in grade if step is not AssignLatePenalties]
    c.GenerateFeedback.exporter_class = FeedbackPage
    c.GenerateFeedback.preprocessors = list[type]()  # the page asks the gradebook itself
    if not plugins_of(machine_config()):  # a hub's exchange has a collector of its own
        c.ExchangeFactory.collect, c.ExchangeFactory.release_assignment = COLLECT, RELEASE
    c.GradeAnswers.secret_file = str(Path(course).resolve() / "secret")
