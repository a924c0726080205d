"""The deadlines of learners, which result from due dates, extensions, and the extra time in the roster."""

import datetime
from collections.abc import Callable, Iterable

from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import add_extra_time, parse_extra_time
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.times import UTC, to_naive_utc
from autograder.classroom.gradebook.queries import read_due_dates, read_submission_extensions
from autograder.classroom.roster.groups import read_counted
from autograder.classroom.roster.people import People


class Deadlines:
    def __init__(self, course: Course, assignment: str) -> None:
        self.plan, self.assignment = course.plan, course.plan.get_assignment(assignment)
        self.due = course.find_due_date(assignment)
        self.ends = {**_read_nbgrader_extensions(course, assignment), **course.read_extensions(assignment)}
        self.extra = {person.id: parse_extra_time(person.extra) for person in People(course).roster if person.extra}

    def find_deadline(self, students: Iterable[str]) -> datetime.datetime | None:
        """Return the latest deadline of these students without the grace period, or None if there is none."""
        students = [*students]
        deadlines = [self.due, *(self.ends.get(student) for student in students)]
        if self.due:
            extras = [self.extra[student] for student in students if student in self.extra]
            deadlines += [add_extra_time(extra, self.assignment, self.due, self.plan) for extra in extras]
        return max(filter(None, deadlines), default=None)


def _read_nbgrader_extensions(course: Course, assignment: str) -> dict[str, datetime.datetime]:
    """Return student -> end of the extension, for extensions that were entered with nbgrader's own commands."""
    if not (due := read_due_dates(course.query).get(assignment)):
        return {}
    extended = {
        student: (due + span).replace(tzinfo=UTC)
        for student, span in read_submission_extensions(course.query, assignment).items()
        if span
    }
    # Leave out the extensions that grading has entered into nbgrader's gradebook.
    records = read_counted(course.folder, assignment).items()
    ends = {student: datetime.datetime.fromisoformat(entry.until) for student, entry in records if entry.until}
    return {student: end for student, end in extended.items() if ends.get(student) != end}


def find_closing_times(course: Course, assignment: str) -> Callable[[str], datetime.datetime] | None:
    """Return a function from a student to the end of the grace period (naive UTC), or None if no work is too late."""
    deadlines = Deadlines(course, assignment)
    if (due := deadlines.due) is None or deadlines.assignment.late != REFUSE:
        return None
    return lambda student: to_naive_utc(deadlines.find_deadline([student]) or due) + deadlines.assignment.grace
