"""Whose work counts for whom. Graded work counts as it did then; in a group, one submission counts for all."""

import datetime
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import parse_timestamp, read_timestamp
from autograder.classroom.roster.people import People

COUNTED = "counted"  # subfolder of the course: a file for each assignment


@dataclass(frozen=True)
class Counted:
    """A graded submission: for whom it counts, and how its lateness was measured."""

    students: tuple[str, ...]  # ids of all for whom it counts
    time: str = ""  # of submission, as in `timestamp.txt`; empty if unknown
    due: str = ""
    until: str = ""  # with an extension or an accommodation
    grace: float = 0.0  # seconds
    late: float | None = 0.0  # seconds; None if it was late by an unknown time
    by_hand: dict[str, tuple[float, float]] = field(default_factory=dict)  # cell -> points by hand, maximum
    waived: dict[str, str] = field(default_factory=dict)  # cell -> what counts for everybody, as in the plan


def read_counted(folder: Path, assignment: str) -> dict[str, Counted]:
    """Return submitter -> how the graded submission counted; empty before the first grading."""
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
    """Return group -> ids of its members for an assignment; none unless it is group work."""
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
    """Return student -> whose work counts for them; if `as_graded`, graded work counts as it did then."""
    handed_in = course.holders("submitted", assignment)
    there = handed_in if step == "submitted" else course.holders(step, assignment)
    counted = read_counted(course.folder, assignment) if as_graded and not course.regroups else {}
    author_of = {student: who for who, each in counted.items() if who in there for student in each.students}
    for group in groups_of(course, assignment).values():
        if of_group := handed_in.intersection(group) or there.intersection(group):
            first = first_of(course, assignment, of_group)
            # Work that was graded separately and then removed counts for nobody: the group's counts instead.
            joins = [student for student in group if first not in counted or student in counted]
            author_of = dict.fromkeys(joins, first) | author_of
    author_of |= {student: student for student in there}
    included = filter(course.is_included, sorted(author_of))
    return {student: author_of[student] for student in included if author_of[student] in there}


def names_of(course: Course, assignment: str) -> dict[str, str]:
    people, names = People(course).by_id, defaultdict[str, list[str]](list)
    for student, author in authors(course, assignment).items():
        names[author].append((people[student].name if student in people else "") or student)
    return {author: ", ".join(of_group) for author, of_group in names.items()}


def moved_in(course: Course, assignment: str) -> list[str]:
    if not read_counted(course.folder, assignment):
        return []
    graded, today = authors(course, assignment), authors(course, assignment, as_graded=False)
    return sorted(who for who in {*graded, *today} if graded.get(who) != today.get(who))


def first_of(course: Course, assignment: str, students: Iterable[str]) -> str:
    """Return which of these submitted first; an unknown time comes last."""

    def came(student: str) -> tuple[datetime.datetime, str]:
        time = parse_timestamp(read_timestamp(course.folder_of("submitted", student, assignment)))
        return time or datetime.datetime.max, student

    return min(students, key=came)
