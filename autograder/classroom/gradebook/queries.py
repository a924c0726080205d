"""Queries for all learners at once, where nbgrader would make one query for each."""

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

_STUDENT = SubmittedAssignment.student_id


@dataclass(frozen=True)
class Standing:
    score: float  # from tests and people, before the penalty
    penalty: float  # for lateness
    waits: bool  # whether a person still has to grade something
    timestamp: datetime | None  # of submission, in UTC; None if unknown
    late: timedelta  # after the due date, including extensions

    @property
    def counts(self) -> float:
        return after_penalty(self.score, self.penalty)


def after_penalty(score: float, penalty: float | None) -> float:
    return max(0.0, score - (penalty or 0.0))


def standings(gradebook: Gradebook, assignment: str, student: str | None = None) -> dict[str, Standing]:
    """Return student -> standing, of all submissions of an assignment or of one learner's."""
    due = gradebook.find_assignment(assignment).duedate
    whose = [] if student is None else [student == _STUDENT]
    graded = _of_submissions(gradebook, assignment, func.sum(Grade.score)).filter(*whose).group_by(_STUDENT)
    graded = graded.join(Grade, Grade.notebook_id == SubmittedNotebook.id)
    scores = dict(map(tuple, graded))
    waiting = {student for student, _ in graded.filter(Grade.needs_manual_grade)}
    columns = SubmittedAssignment.timestamp, SubmittedAssignment.extension
    penalty = func.coalesce(func.sum(SubmittedNotebook.late_submission_penalty), 0.0)
    standing_of = {}
    submissions = _of_submissions(gradebook, assignment, *columns, penalty).filter(*whose).group_by(_STUDENT, *columns)
    for who, handed_in, extension, off in submissions:
        late = handed_in - due - (extension or timedelta()) if handed_in and due else timedelta()
        score = scores.get(who) or 0.0
        standing_of[who] = Standing(score, off, who in waiting, handed_in, max(late, timedelta()))
    return standing_of


def notebooks_of(gradebook: Gradebook, assignment: str, student: str) -> list[Any]:
    query = gradebook.db.query(SubmittedNotebook).join(SubmittedAssignment).join(Assignment)
    return query.filter(Assignment.name == assignment, student == _STUDENT).all()


def _of_submissions(gradebook: Gradebook, assignment: str, *columns: Any) -> Query:
    query = gradebook.db.query(_STUDENT, *columns).select_from(SubmittedAssignment).join(Assignment)
    query = query.outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    return query.filter(Assignment.name == assignment)


def grades_of(gradebook: Gradebook, notebook: SubmittedNotebook) -> dict[str, Any]:
    """Return graded cell -> `Grade` of a submitted notebook."""
    return dict(map(tuple, _of_cells(gradebook, notebook, Grade).options(undefer("*"))))  # including the maximum


def grades_in(gradebook: Gradebook, cell: Any) -> list[Any]:
    return gradebook.db.query(Grade).filter(Grade.cell_id == cell.id).all()


def comments_of(gradebook: Gradebook, notebook: SubmittedNotebook) -> dict[str, Any]:
    """Return answered cell -> `Comment` of a submitted notebook."""
    return dict(map(tuple, _of_cells(gradebook, notebook, Comment)))


def _of_cells(gradebook: Gradebook, notebook: SubmittedNotebook, kind: type[Any]) -> Query:
    query = gradebook.db.query(BaseCell.name, kind).join(kind, kind.cell_id == BaseCell.id)
    return query.filter(kind.notebook_id == notebook.id)
