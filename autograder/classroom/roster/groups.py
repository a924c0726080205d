"""Finding out for whom a submission counts: in group work for the whole group, as it was at the time of grading."""

import datetime
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import parse_timestamp, read_timestamp
from autograder.classroom.roster.people import People

COUNTED = "counted"  # subfolder of the course, with a file for each assignment


@dataclass(frozen=True)
class Counted:
    """The students for whom a submission counted when it was graded, with its lateness and manual scores then."""

    students: tuple[str, ...]
    until: str = ""  # the deadline, including extensions; empty if there was none
    late: float | None = 0.0  # seconds; None if it was late by an unknown time
    by_hand: dict[str, tuple[float, float]] = field(default_factory=dict)  # cell -> (manual score, maximum)
    waived: dict[str, str] = field(default_factory=dict)  # cell -> `FULL` or `NONE`


def read_counted(folder: Path, assignment: str) -> dict[str, Counted]:
    """Return submitter -> `Counted` record of the graded submission."""
    path, keys = folder / COUNTED / f"{assignment}.json", {field.name for field in fields(Counted)}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        known = {who: {key: entry[key] for key in keys & entry.keys()} for who, entry in entries.items()}
        return {who: Counted(**entry | {"students": tuple(entry["students"])}) for who, entry in known.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it and grade again") from None


def write_counted(folder: Path, assignment: str, counted: dict[str, Counted]) -> None:
    path = folder / COUNTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, json.dumps({who: asdict(each) for who, each in sorted(counted.items())}, indent=1) + "\n", 0o600)


def groups_of(course: Course, assignment: str) -> dict[str, list[str]]:
    """Return group -> members; empty unless the assignment is group work."""
    groups: dict[str, list[str]] = {}
    if course.plan.assignment(assignment).group_work:
        for person in People(course).listed:
            if name := person.group_in(assignment):
                groups.setdefault(name, []).append(person.id)
    return groups


def add_group_members(course: Course, assignment: str, students: list[str]) -> list[str]:
    """Return these students and all members of their groups."""
    groups = groups_of(course, assignment).values()
    members = [student for group in groups if {*group} & {*students} for student in group]
    return list(dict.fromkeys([*students, *members]))


def find_submitters(course: Course, assignment: str, step: str = "submitted", as_graded: bool = True) -> dict[str, str]:
    """Return student -> submitter whose submission counts for the student and exists in the folder `step`.

    `as_graded`: whether a graded submission counts for the group at the time of grading, instead of today's group.
    """
    submitted = course.students_with_folder("submitted", assignment)
    present = submitted if step == "submitted" else course.students_with_folder(step, assignment)
    counted = read_counted(course.folder, assignment) if as_graded and not course.regroups else {}
    submitter_of = {student: who for who, each in counted.items() if who in present for student in each.students}
    for group in groups_of(course, assignment).values():
        if members := submitted.intersection(group) or present.intersection(group):
            first = find_first_submitter(course, assignment, members)
            # If a submission was graded separately and then removed, the submission of the group counts instead.
            joining = [student for student in group if first not in counted or student in counted]
            submitter_of = dict.fromkeys(joining, first) | submitter_of
    submitter_of |= {student: student for student in present}
    included = filter(course.is_included, sorted(submitter_of))
    return {student: submitter_of[student] for student in included if submitter_of[student] in present}


def list_submission_names(course: Course, assignment: str) -> dict[str, str]:
    """Return submitter -> names of all students for whom the submission counts."""
    people, names = People(course).by_id, defaultdict[str, list[str]](list)
    for student, submitter in find_submitters(course, assignment).items():
        names[submitter].append((people[student].name if student in people else "") or student)
    return {submitter: ", ".join(of_group) for submitter, of_group in names.items()}


def find_regrouped(course: Course, assignment: str) -> list[str]:
    """Return the students for whom, with today's groups, a different submission would count than when graded."""
    if not read_counted(course.folder, assignment):
        return []
    graded, today = find_submitters(course, assignment), find_submitters(course, assignment, as_graded=False)
    return sorted(who for who in {*graded, *today} if graded.get(who) != today.get(who))


def find_first_submitter(course: Course, assignment: str, students: Iterable[str]) -> str:
    """Return the student who submitted first. Submissions without a timestamp come last."""

    def submission_time(student: str) -> tuple[datetime.datetime, str]:
        time = parse_timestamp(read_timestamp(course.folder_of("submitted", student, assignment)))
        return time or datetime.datetime.max, student

    return min(students, key=submission_time)
