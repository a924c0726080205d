"""Whose work counts for whom: for what was graded as it did then, in a group what one of it hands in for all."""

import datetime
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import read_timestamp, time_of
from autograder.classroom.roster.people import People

COUNTED = "counted"  # in the course's folder: a file for each assignment


@dataclass(frozen=True)
class Counted:
    """One graded submission: whose points it gives, and what its lateness was measured by."""

    students: tuple[str, ...]  # ids of all for whom it counts
    time: str = ""  # when it was handed in, as in `timestamp.txt`; empty where nobody knows
    due: str = ""
    until: str = ""  # with an extension or an accommodation
    grace: float = 0.0  # seconds
    late: float | None = 0.0  # seconds; None where it came late by an unknown time
    by_hand: dict[str, tuple[float, float]] = field(default_factory=dict)  # cell -> points of a person, its worth


def read_counted(folder: Path, assignment: str) -> dict[str, Counted]:
    """Return who handed in -> what that counted for; empty where nothing has been graded since it is kept."""
    path = folder / COUNTED / f"{assignment}.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {who: Counted(**entry | {"students": tuple(entry["students"])}) for who, entry in entries.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it and grade again") from None


def write_counted(folder: Path, assignment: str, counted: dict[str, Counted]) -> None:
    path = folder / COUNTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, json.dumps({who: asdict(each) for who, each in sorted(counted.items())}, indent=1) + "\n", 0o600)


def groups_of(course: Course, assignment: str) -> dict[str, list[str]]:
    """Return name -> ids of each group that works together on an assignment; none where it is not group work."""
    groups: dict[str, list[str]] = {}
    if course.plan.assignment(assignment).group_work:
        for person in People(course).listed:
            if name := person.group_in(assignment):
                groups.setdefault(name, []).append(person.id)
    return groups


def in_group(course: Course, assignment: str, students: list[str]) -> list[str]:
    groups = groups_of(course, assignment).values()
    others = [other for group in groups if set(group) & set(students) for other in group]
    return list(dict.fromkeys([*students, *others]))


def authors(course: Course, assignment: str, step: str = "submitted", as_graded: bool = True) -> dict[str, str]:
    """Return student -> whose work counts for them: what was graded counts for whom it did then, if `as_graded`."""
    handed_in = course.holders("submitted", assignment)
    there = handed_in if step == "submitted" else course.holders(step, assignment)
    counted = read_counted(course.folder, assignment) if as_graded and not course.regroups else {}
    author_of = {student: who for who, each in counted.items() if who in there for student in each.students}
    for group in groups_of(course, assignment).values():
        if of_group := handed_in.intersection(group) or there.intersection(group):
            first = first_of(course, assignment, of_group)
            # What was graded apart and has been taken out counts for nobody: then it is the group's.
            joins = [student for student in group if first not in counted or student in counted]
            author_of = dict.fromkeys(joins, first) | author_of
    author_of |= {student: student for student in there}
    included = filter(course.is_included, sorted(author_of))
    return {student: author_of[student] for student in included if author_of[student] in there}


def moved_in(course: Course, assignment: str) -> list[str]:
    if not read_counted(course.folder, assignment):
        return []
    graded, today = authors(course, assignment), authors(course, assignment, as_graded=False)
    return sorted(who for who in {*graded, *today} if graded.get(who) != today.get(who))


def first_of(course: Course, assignment: str, students: Iterable[str]) -> str:
    """Return who of these handed in first; a time that nobody knows comes last."""

    def came(student: str) -> tuple[datetime.datetime, str]:
        time = time_of(read_timestamp(course.folder_of("submitted", student, assignment)))
        return time or datetime.datetime.max, student

    return min(students, key=came)
