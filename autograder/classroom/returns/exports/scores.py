"""What the gradebook says about an assignment: one score for each student of the course."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError
from autograder.classroom.gradebook.queries import Standing, standings
from autograder.classroom.roster.people import People, full_name

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


MAX_NAMES = 10  # in a sentence before "and 12 more"


@dataclass(frozen=True)
class Score:
    """One student's result."""

    student: str  # nbgrader's id of them; name and address may be empty
    name: str
    email: str
    standing: Standing | None = None  # None where nothing was handed in
    keys: frozenset[str] = frozenset()  # whatever else stands for the student alone on a platform

    @property
    def points(self) -> float | None:
        """What counts, lateness taken off; None where nothing was handed in."""
        return self.standing.counts if self.standing else None


@dataclass(frozen=True)
class AssignmentScores:
    """The scores of all students for one assignment."""

    name: str
    max_points: float
    scores: tuple[Score, ...]

    def notes(self) -> Iterator[str]:
        """Sentences about what a teacher should know before handing the scores on."""
        graded = [(score.student, score.standing) for score in self.scores if score.standing]
        late = [f"{student} (-{number(standing.penalty)})" for student, standing in graded if standing.penalty]
        waiting = [student for student, standing in graded if standing.waits]
        if missing := [score.student for score in self.scores if score.standing is None]:
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
    graded: list[AssignmentScores] = []
    with course.gradebook() as gradebook:
        students = [student for student in gradebook.students if course.is_included(student.id)]
        for name in names:
            found = standings(gradebook, name)
            scores = [
                Score(each.id, full_name(each), each.email or "", found.get(each.id), frozenset(people[each.id].keys()))
                for each in students
            ]
            if any(score.standing for score in scores):
                graded.append(AssignmentScores(name, gradebook.find_assignment(name).max_score or 0.0, tuple(scores)))
    if not graded:
        raise CourseError(f"nothing has been graded in {course.folder} for {', '.join(names)}: grade it first")
    return graded


def number(points: float) -> str:
    """Points as spreadsheets and platforms read them: a point, at most two decimals, no trailing zeros."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def listed(names: list[str]) -> str:
    """Names in a sentence, the first few of many."""
    shown = "; ".join(names[:MAX_NAMES])  # names may hold a comma
    return shown if len(names) <= MAX_NAMES else f"{shown} and {len(names) - MAX_NAMES} more"
