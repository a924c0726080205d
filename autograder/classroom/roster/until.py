"""The deadlines of learners, which result from due dates, extensions, and the extra time in the roster."""

import datetime
from collections.abc import Callable, Iterable

from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import add_extra_time, parse_extra_time
from autograder.classroom.course.plan import REFUSE
from autograder.classroom.course.times import UTC, naive_utc
from autograder.classroom.gradebook.queries import due_dates, submission_extensions
from autograder.classroom.roster.groups import read_counted
from autograder.classroom.roster.people import People


class Deadlines:
    """The deadlines of all learners for one assignment."""

    def __init__(self, course: Course, assignment: str) -> None:
        self.plan, self.planned = course.plan, course.plan.assignment(assignment)
        self.due = course.due(assignment)
        self.ends = {**_nbgrader_extensions(course, assignment), **course.ends(assignment)}
        self.extra = {person.id: parse_extra_time(person.extra) for person in People(course).listed if person.extra}

    def until(self, students: Iterable[str]) -> datetime.datetime | None:
        """Return the latest deadline of these students without the grace period, or None if there is no due date."""
        students = [*students]
        ends = [self.due, *(self.ends.get(student) for student in students)]
        if self.due:
            extras = [self.extra[student] for student in students if student in self.extra]
            ends += [add_extra_time(extra, self.planned, self.due, self.plan) for extra in extras]
        return max(filter(None, ends), default=None)


def _nbgrader_extensions(course: Course, assignment: str) -> dict[str, datetime.datetime]:
    """Return student -> end of the extension, for extensions that were entered with nbgrader's own commands."""
    if not (due := due_dates(course.query).get(assignment)):
        return {}
    given = {
        who: (due + span).replace(tzinfo=UTC)
        for who, span in submission_extensions(course.query, assignment).items()
        if span
    }
    # Leave out the extensions that grading has entered.
    counted = read_counted(course.folder, assignment).items()
    entered = {who: datetime.datetime.fromisoformat(each.until) for who, each in counted if each.until}
    return {who: end for who, end in given.items() if entered.get(who) != end}


def find_closing_times(course: Course, assignment: str) -> Callable[[str], datetime.datetime] | None:
    """Return a function from a student to the end of the grace period (naive UTC), or None if late work is accepted."""
    deadlines = Deadlines(course, assignment)
    if (due := deadlines.due) is None or deadlines.planned.late != REFUSE:
        return None
    return lambda student: naive_utc(deadlines.until([student]) or due) + deadlines.planned.grace
