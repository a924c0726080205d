"""The scores of assignments, and the table of all of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import (
    GradedWork,
    Student,
    read_graded_submissions,
    read_max_score,
    read_students,
)
from autograder.classroom.roster.counted import find_submitters
from autograder.classroom.roster.people import make_name_order
from autograder.classroom.roster.table import write_rows


@dataclass(frozen=True)
class AssignmentScores:
    name: str
    max_points: float
    students: tuple[Student, ...]
    works: dict[str, GradedWork]  # student ID -> submission that counts; without the students who have none

    @property
    def points(self) -> dict[str, float]:
        """Return student ID -> points after the late penalty."""
        return {student: work.final_score for student, work in self.works.items()}

    def list_exceptions(self) -> Iterator[str]:
        """Yield sentences about students without a score, or with points that may change."""
        if missing := [student.id for student in self.students if student.id not in self.works]:
            yield f"{self.name}: no graded submission from {join_names(missing)}."
        yield from self.list_ungraded()

    def list_ungraded(self) -> Iterator[str]:
        """Yield a sentence about students whose submissions a person still has to grade."""
        if ungraded := [student for student, work in self.works.items() if work.needs_manual_grade]:
            yield f"{self.name}: still to be graded by hand, so their points may change: {join_names(ungraded)}."


def read_scores(course: Course, assignment: str | None = None) -> list[AssignmentScores]:
    """Return the scores of one assignment, or of all graded ones. Raises `CourseError` if none was graded."""
    names = course.select_assignments([assignment] if assignment else ())
    assignments: list[AssignmentScores] = []
    students = [student for student in read_students(course.query) if course.is_included(student.id)]
    students.sort(key=lambda student: make_name_order(student.name or student.id))
    for name in names:
        score_of = read_student_scores(course, name)
        if works := {student.id: score_of[student.id] for student in students if student.id in score_of}:
            assignments.append(AssignmentScores(name, read_max_score(course.query, name), tuple(students), works))
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
    rows = [["student", "name", "email", *(each.name for each in assignments)]]
    for student in assignments[0].students:
        points = [format_points(each.points[student.id]) if student.id in each.works else "" for each in assignments]
        rows.append([student.id, student.name, student.email or "", *points])
    write_rows(path, rows)
