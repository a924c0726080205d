"""The scores of an assignment: one for each student of the course."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import GradedWork, read_graded_submissions, read_max_score, read_students
from autograder.classroom.roster.groups import find_submitters
from autograder.classroom.roster.people import full_name_of, make_name_order
from autograder.classroom.roster.table import CsvTable, write_table


@dataclass(frozen=True)
class StudentScore:
    student: str
    name: str  # may be empty
    email: str  # may be empty
    submission: GradedWork | None = None  # None if nothing was submitted

    @property
    def points(self) -> float | None:
        """Return the points after the late penalty, or None if nothing was submitted."""
        return self.submission.final_score if self.submission else None


@dataclass(frozen=True)
class AssignmentScores:
    name: str
    max_points: float
    scores: tuple[StudentScore, ...]

    def list_exceptions(self) -> Iterator[str]:
        """Yield sentences about students without a score, with a penalty, or with points that may change."""
        works = [(score.student, score.submission) for score in self.scores if score.submission]
        if missing := [score.student for score in self.scores if score.submission is None]:
            yield f"{self.name}: no graded submission from {join_names(missing)}."
        if penalties := [f"{student} (-{format_points(work.penalty)})" for student, work in works if work.penalty]:
            yield f"{self.name}: points taken off for lateness: {join_names(penalties)}."
        yield from self.list_ungraded()

    def list_ungraded(self) -> Iterator[str]:
        """Yield a sentence about students whose submissions a person still has to grade."""
        if ungraded := [
            score.student for score in self.scores if score.submission and score.submission.needs_manual_grade
        ]:
            yield f"{self.name}: still to be graded by hand, so their points may change: {join_names(ungraded)}."


def read_scores(course: Course, assignment: str | None = None) -> list[AssignmentScores]:
    """Return the scores of one assignment, or of all graded ones. Raises `CourseError` if none was graded."""
    names = course.select_assignments([assignment] if assignment else ())
    assignments: list[AssignmentScores] = []
    people = [student for student in read_students(course.query) if course.is_included(student.id)]
    people.sort(key=lambda student: make_name_order(full_name_of(student) or student.id))
    for name in names:
        score_of = read_student_scores(course, name)
        scores = [StudentScore(each.id, full_name_of(each), each.email or "", score_of.get(each.id)) for each in people]
        if any(score.submission for score in scores):
            assignments.append(AssignmentScores(name, read_max_score(course.query, name), tuple(scores)))
    if not assignments:
        raise CourseError(f"nothing has been graded in {course.folder} for {', '.join(names)}: grade it first")
    return assignments


def read_student_scores(course: Course, assignment: str) -> dict[str, GradedWork]:
    """Return student -> score of the submission that counts for them."""
    scores, submitter_of = read_graded_submissions(course.query, assignment), find_submitters(course, assignment)
    return scores | {student: scores[submitter] for student, submitter in submitter_of.items() if submitter in scores}


def format_points(points: float) -> str:
    """Return points with at most two decimals and without trailing zeros."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def write_overview(path: Path, assignments: list[AssignmentScores]) -> None:
    """Write a CSV table with a row for each student and a column for each assignment."""
    rows = []
    for of_student in zip(*(each.scores for each in assignments), strict=True):
        points = ["" if score.points is None else format_points(score.points) for score in of_student]
        rows.append([of_student[0].student, of_student[0].name, of_student[0].email, *points])
    write_table(path, CsvTable(None, ["student", "name", "email", *(each.name for each in assignments)], rows))
