"""Deadlines of each learner: the due date, extensions, and the accommodations of the roster."""

import datetime
from collections.abc import Callable, Iterable

from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import extra_end, read_extra
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.times import UTC, naive_utc
from autograder.classroom.gradebook.queries import due_dates, extensions
from autograder.classroom.roster.groups import read_counted
from autograder.classroom.roster.people import People


class Deadlines:
    """The deadlines of one assignment."""

    def __init__(self, course: Course, assignment: str) -> None:
        self.plan, self.planned = course.plan, course.plan.assignment(assignment)
        self.due = course.due(assignment)
        self.ends = {**_granted(course, assignment), **course.ends(assignment)}
        self.extra = {person.id: read_extra(person.extra) for person in People(course).listed if person.extra}

    def until(self, students: Iterable[str]) -> datetime.datetime | None:
        """Return the latest deadline of any of these students, without grace; None if nothing is due."""
        students = list(students)
        ends = [self.due, *(self.ends.get(student) for student in students)]
        if self.due:
            extras = [self.extra[student] for student in students if student in self.extra]
            ends += [extra_end(extra, self.planned, self.due, self.plan) for extra in extras]
        return max(filter(None, ends), default=None)


def _granted(course: Course, assignment: str) -> dict[str, datetime.datetime]:
    """Return student -> the end of an extension that was given with nbgrader's own commands."""
    if not (due := due_dates(course.read).get(assignment)):
        return {}
    given = {who: (due + span).replace(tzinfo=UTC) for who, span in extensions(course.read, assignment).items() if span}
    counted = read_counted(course.folder, assignment).items()  # our own grading enters extensions, too
    ours = {who: datetime.datetime.fromisoformat(each.until) for who, each in counted if each.until}
    return {who: end for who, end in given.items() if ours.get(who) != end}


def closing_of(course: Course, assignment: str) -> Callable[[str], datetime.datetime] | None:
    """Return a function from a student to the last moment, in naive UTC, or None if late work is accepted."""
    deadlines = Deadlines(course, assignment)
    due = deadlines.due
    if deadlines.planned.late != REFUSE or due is None:
        return None
    return lambda student: naive_utc(deadlines.until([student]) or due) + deadlines.planned.grace
