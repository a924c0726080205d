"""What is asked of the gradebook in one question for all learners, where nbgrader asks once for each."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import func
from sqlalchemy.orm import Query, undefer

_WHO = SubmittedAssignment.student_id


@dataclass(frozen=True)
class Standing:
    score: float  # what tests and people gave, before lateness
    penalty: float  # what lateness takes
    waits: bool  # whether a person has still to grade something in it
    timestamp: datetime | None  # when it was handed in, in UTC; None where nobody knows
    late: timedelta  # behind its due date, extension included

    @property
    def counts(self) -> float:
        return after_penalty(self.score, self.penalty)


def after_penalty(score: float, penalty: float | None) -> float:
    return max(0.0, score - (penalty or 0.0))


def standings(gradebook: Gradebook, assignment: str, student: str | None = None) -> dict[str, Standing]:
    """Student -> what the gradebook holds, of every submission of an assignment, or of one learner's."""
    due = gradebook.find_assignment(assignment).duedate
    whose = [] if student is None else [student == _WHO]
    graded = _of_submissions(gradebook, assignment, func.sum(Grade.score)).filter(*whose).group_by(_WHO)
    graded = graded.join(Grade, Grade.notebook_id == SubmittedNotebook.id)
    scores = dict(map(tuple, graded))
    waiting = {student for student, _ in graded.filter(Grade.needs_manual_grade)}
    columns = SubmittedAssignment.timestamp, SubmittedAssignment.extension
    penalty = func.coalesce(func.sum(SubmittedNotebook.late_submission_penalty), 0.0)
    standing_of = {}
    submissions = _of_submissions(gradebook, assignment, *columns, penalty).filter(*whose).group_by(_WHO, *columns)
    for who, handed_in, extension, off in submissions:
        late = handed_in - due - (extension or timedelta()) if handed_in and due else timedelta()
        score = scores.get(who) or 0.0
        standing_of[who] = Standing(score, off, who in waiting, handed_in, max(late, timedelta()))
    return standing_of


def notebooks_of(gradebook: Gradebook, assignment: str, student: str) -> list[Any]:
    query = gradebook.db.query(SubmittedNotebook).join(SubmittedAssignment).join(Assignment)
    return query.filter(Assignment.name == assignment, student == _WHO).all()


def _of_submissions(gradebook: Gradebook, assignment: str, *columns: Any) -> Query:
    query = gradebook.db.query(_WHO, *columns).select_from(SubmittedAssignment).join(Assignment)
    query = query.outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    return query.filter(Assignment.name == assignment)


def grades_of(gradebook: Gradebook, notebook: SubmittedNotebook) -> dict[str, Any]:
    """Name of each graded cell of a submitted notebook -> its `Grade`."""
    return dict(map(tuple, _of_cells(gradebook, notebook, Grade).options(undefer("*"))))  # maximum included


def grades_in(gradebook: Gradebook, cell: Any) -> list[Any]:
    return gradebook.db.query(Grade).filter(Grade.cell_id == cell.id).all()


def comments_of(gradebook: Gradebook, notebook: SubmittedNotebook) -> dict[str, Any]:
    """Name of each answered cell of a submitted notebook -> its `Comment`."""
    return dict(map(tuple, _of_cells(gradebook, notebook, Comment)))


def _of_cells(gradebook: Gradebook, notebook: SubmittedNotebook, kind: type[Any]) -> Query:
    query = gradebook.db.query(BaseCell.name, kind).join(kind, kind.cell_id == BaseCell.id)
    return query.filter(kind.notebook_id == notebook.id)
