"""Until when a learner's submission may arrive, with extensions and extra time."""

import datetime
from collections.abc import Callable, Iterable

from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import add_extra_time, parse_extra_time
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.times import UTC, to_naive_utc
from autograder.classroom.gradebook.queries import read_due_dates, read_submission_extensions
from autograder.classroom.roster.counted import read_counted
from autograder.classroom.roster.people import People


class Deadlines:
    def __init__(self, course: Course, assignment: str) -> None:
        self.plan, self.assignment = course.plan, course.plan.get_assignment(assignment)
        self.due = course.find_due_date(assignment)
        extensions = {student: end for (name, student), end in course.read_extensions().items() if name == assignment}
        self.ends = {**_read_nbgrader_extensions(course, assignment), **extensions}
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
    """Return student -> end of the extension, for extensions that were entered with nbgrader's own API."""
    if not (due := read_due_dates(course.query).get(assignment)):
        return {}
    # Leave out the extensions that grading has entered into nbgrader's gradebook.
    records = read_counted(course.folder, assignment).items()
    entered = {(student, datetime.datetime.fromisoformat(entry.until)) for student, entry in records if entry.until}
    spans = read_submission_extensions(course.query, assignment).items()
    ends = {student: (due + span).replace(tzinfo=UTC) for student, span in spans if span}
    return dict(ends.items() - entered)


def find_closing_times(course: Course, assignment: str) -> Callable[[str], datetime.datetime] | None:
    """Return a function from a student to the end of the grace period (naive UTC), or None if no work is too late."""
    deadlines = Deadlines(course, assignment)
    if (due := deadlines.due) is None or deadlines.assignment.late != REFUSE:
        return None
    return lambda student: to_naive_utc(deadlines.find_deadline([student]) or due) + deadlines.assignment.grace
