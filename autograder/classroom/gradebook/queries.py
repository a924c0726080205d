"""What is asked of the gradebook in one question for all learners, where nbgrader asks once for each."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import func

_WHO = SubmittedAssignment.student_id
_SHOWN = (
    (Grade, Grade.cell_id, Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade),
    (Comment, Comment.cell_id, Comment.auto_comment, Comment.manual_comment),
)


def cell_rows(gradebook: Gradebook, notebook: SubmittedNotebook, kind: type, *columns: object) -> list[tuple]:
    """The name of each cell of a submitted notebook that has a `Grade`, or a `Comment`, and these columns of it."""
    query = gradebook.db.query(BaseCell.name, *(columns or (kind,))).join(kind, kind.cell_id == BaseCell.id)
    return [tuple(row) for row in query.filter(kind.notebook_id == notebook.id)]


def lateness(gradebook: Gradebook, assignment: str) -> Iterator[tuple[str, timedelta, float]]:
    """Student, how late, and the penalty for it, of every submission."""
    due = gradebook.find_assignment(assignment).duedate
    columns = _WHO, SubmittedAssignment.timestamp, SubmittedAssignment.extension
    penalty = func.coalesce(func.sum(SubmittedNotebook.late_submission_penalty), 0.0)
    query = gradebook.db.query(*columns, penalty).select_from(SubmittedAssignment).join(Assignment)
    query = query.outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    for student, handed_in, extension, off in query.filter(Assignment.name == assignment).group_by(*columns):
        late = timedelta()
        if handed_in is not None and due is not None:
            late = max(late, handed_in - due - (extension or timedelta()))
        yield student, late, off


def shown_on_pages(gradebook: Gradebook, assignment: str) -> dict[str, tuple]:
    """Student -> all that their feedback pages say out of the gradebook."""
    found = defaultdict(list)
    queries = [
        gradebook.db.query(_WHO, *columns).join(SubmittedNotebook, SubmittedNotebook.id == kind.notebook_id)
        for kind, *columns in _SHOWN
    ]
    queries.append(gradebook.db.query(_WHO, SubmittedNotebook.notebook_id, SubmittedNotebook.late_submission_penalty))
    for query in queries:
        query = query.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        query = query.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        for student, *row in query.filter(Assignment.name == assignment):
            found[student].append(tuple(row))
    worth = [sorted(map(tuple, gradebook.db.query(kind.id, kind.max_score))) for kind in (GradeCell, TaskCell)]
    names = {row[0]: tuple(row) for row in gradebook.db.query(Student.id, Student.first_name, Student.last_name)}
    return {student: (names.get(student), worth, sorted(map(repr, rows))) for student, rows in found.items()}
