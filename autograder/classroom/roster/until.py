"""Deadlines of each learner: the due date, extensions, and the accommodations of the roster."""

import datetime
from collections.abc import Callable, Iterable, Mapping

from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import extra_end, read_extra
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.times import naive_utc
from autograder.classroom.roster.people import People


class Deadlines:
    """The deadlines of one assignment.

    `granted`: student -> an extension by nbgrader's own commands, in addition to ours.
    """

    def __init__(self, course: Course, assignment: str, granted: Mapping[str, datetime.datetime] | None = None) -> None:
        self.plan, self.planned = course.plan, course.plan.assignment(assignment)
        self.due = course.due(assignment)
        self.ends = {**(granted or {}), **course.ends(assignment)}
        self.extra = {person.id: read_extra(person.extra) for person in People(course).listed if person.extra}

    def until(self, students: Iterable[str]) -> datetime.datetime | None:
        """Return the latest deadline of any of these students, without grace; None if nothing is due."""
        students = list(students)
        ends = [self.due, *(self.ends.get(student) for student in students)]
        if self.due:
            extras = [self.extra[student] for student in students if student in self.extra]
            ends += [extra_end(extra, self.planned, self.due, self.plan) for extra in extras]
        return max(filter(None, ends), default=None)


def closing_of(course: Course, assignment: str) -> Callable[[str], datetime.datetime] | None:
    """Return a function from a student to the last moment, in naive UTC, or None if late work is accepted."""
    if course.plan.assignment(assignment).late != REFUSE:
        return None  # so that the gradebook is only opened if necessary
    deadlines = Deadlines(course, assignment)
    if deadlines.due is None:
        return None
    due = deadlines.due
    return lambda student: naive_utc(deadlines.until([student]) or due) + deadlines.planned.grace
