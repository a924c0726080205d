"""What the gradebook says about an assignment: one score for each student of the course."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError
from autograder.classroom.roster.people import People, full_name

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


SHOWN = 10  # names in a sentence before "and 12 more"


@dataclass(frozen=True)
class Score:
    """One student's result."""

    student: str  # nbgrader's id of them; name and address may be empty
    name: str
    email: str
    points: float | None = None  # what counts, lateness taken off; None where nothing was handed in and graded
    penalty: float = 0.0  # what lateness took
    waits: bool = False  # whether something in it is still to be graded by hand
    keys: frozenset = frozenset()  # whatever else stands for the student alone on a platform, as the roster has it


@dataclass(frozen=True)
class AssignmentScores:
    """The scores of all students for one assignment."""

    name: str
    max_points: float
    scores: tuple

    def notes(self):
        """Sentences about what a teacher should know before handing the scores on."""
        late = [f"{score.student} (-{number(score.penalty)})" for score in self.scores if score.penalty]
        waiting = [score.student for score in self.scores if score.waits]
        missing = [score.student for score in self.scores if score.points is None]
        if missing:
            yield f"{self.name}: no graded submission from {listed(missing)}."
        if late:
            yield f"{self.name}: points taken off for lateness: {listed(late)}."
        if waiting:
            yield f"{self.name}: still to be graded by hand, so their points may change: {listed(waiting)}."


def read_scores(course: Course, assignment: str | None = None) -> list[AssignmentScores]:
    """The scores of one assignment, or of all that somebody's work was graded for.

    `CourseError` where there is no such assignment, or nothing has been graded.
    """
    names = course.assignments([assignment] if assignment else ())
    people = People(course).by_id
    with course.gradebook() as gradebook:
        meant = [student for student in gradebook.students if course.is_included(student.id)]
        found = [_scores(gradebook, gradebook.find_assignment(name), meant, people) for name in names]
    graded = [each for each in found if any(score.points is not None for score in each.scores)]
    if not graded:
        raise CourseError(f"nothing has been graded in {course.folder} for {', '.join(names)}: grade it first")
    return graded


def _scores(gradebook, assignment, students, people):
    submissions = {each.student_id: each for each in gradebook.assignment_submissions(assignment.name)}
    scores = [_score(student, submissions.get(student.id), people[student.id].keys()) for student in students]
    return AssignmentScores(assignment.name, assignment.max_score, tuple(scores))


def _score(student, submission, keys):
    who = student.id, full_name(student), student.email or ""
    if submission is None:
        return Score(*who, keys=frozenset(keys))
    penalty = submission.late_submission_penalty or 0.0
    return Score(
        *who, counting(submission.score, penalty), penalty, bool(submission.needs_manual_grade), frozenset(keys)
    )


def counting(score, penalty):
    """What counts of a score, lateness taken off."""
    return max(0.0, score - (penalty or 0.0))


def number(points):
    """Points as spreadsheets and platforms read them: a point, at most two decimals, no trailing zeros."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def listed(names):
    """Names in a sentence, the first few of many."""
    shown = "; ".join(name for name in names[:SHOWN])  # names may hold a comma
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"
