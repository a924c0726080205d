"""The scores of an assignment from the gradebook: one for each student of the course."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import Standing, max_score, standings, students
from autograder.classroom.roster.groups import authors
from autograder.classroom.roster.people import by_name, full_name
from autograder.classroom.roster.table import Table, write_table


@dataclass(frozen=True)
class Score:
    student: str  # nbgrader's id; name and address may be empty
    name: str
    email: str
    standing: Standing | None = None  # None if nothing was submitted

    @property
    def points(self) -> float | None:
        """Return the points after the late penalty; None if nothing was submitted."""
        return self.standing.counts if self.standing else None


@dataclass(frozen=True)
class AssignmentScores:
    name: str
    max_points: float
    scores: tuple[Score, ...]

    def notes(self) -> Iterator[str]:
        graded = [(score.student, score.standing) for score in self.scores if score.standing]
        late = [f"{student} (-{number(standing.penalty)})" for student, standing in graded if standing.penalty]
        if missing := [score.student for score in self.scores if score.standing is None]:
            yield f"{self.name}: no graded submission from {join_names(missing)}."
        if late:
            yield f"{self.name}: points taken off for lateness: {join_names(late)}."
        yield from self.waiting()

    def waiting(self) -> Iterator[str]:
        if waiting := [score.student for score in self.scores if score.standing and score.standing.waits]:
            yield f"{self.name}: still to be graded by hand, so their points may change: {join_names(waiting)}."


def read_scores(course: Course, assignment: str | None = None) -> list[AssignmentScores]:
    """Return the scores of one assignment, or of all graded ones. Raises `CourseError` if there are none."""
    names = course.assignments([assignment] if assignment else ())
    graded: list[AssignmentScores] = []
    included = [student for student in students(course.read) if course.is_included(student.id)]
    included.sort(key=lambda student: by_name(full_name(student) or student.id))
    for name in names:
        standing_of = standings_of_all(course, name)
        scores = [Score(each.id, full_name(each), each.email or "", standing_of.get(each.id)) for each in included]
        if any(score.standing for score in scores):
            graded.append(AssignmentScores(name, max_score(course.read, name), tuple(scores)))
    if not graded:
        raise CourseError(f"nothing has been graded in {course.folder} for {', '.join(names)}: grade it first")
    return graded


def standings_of_all(course: Course, assignment: str) -> dict[str, Standing]:
    standing_of, counting = standings(course.read, assignment), authors(course, assignment)
    return standing_of | {student: standing_of[author] for student, author in counting.items() if author in standing_of}


def number(points: float) -> str:
    """Return points as spreadsheets and platforms read them: at most two decimals, no trailing zeros."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def write_overview(path: Path, assignments: list[AssignmentScores]) -> None:
    rows = []
    for of_one in zip(*(each.scores for each in assignments), strict=True):
        points = ["" if score.points is None else number(score.points) for score in of_one]
        rows.append([of_one[0].student, of_one[0].name, of_one[0].email, *points])
    write_table(path, Table(None, ["student", "name", "email", *(each.name for each in assignments)], rows))
