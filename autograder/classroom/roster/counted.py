"""Whose submission counts for a learner, in groups too, and what its grade was based on."""

import datetime
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_file
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import parse_timestamp, read_timestamp
from autograder.classroom.roster.people import People

COUNTED = "counted"  # subfolder of the course, with a file for each assignment


@dataclass(frozen=True)
class CountedWork:
    """A submission as it was graded: for whom it counted, and its deadline, lateness, manual scores and waivers."""

    students: tuple[str, ...]
    until: str = ""  # the deadline, including extensions; empty if there was none
    late: float | None = 0.0  # seconds; None if it was late by an unknown time
    by_hand: dict[str, tuple[float, float]] = field(default_factory=dict)  # cell -> (manual score, maximum)
    waived: dict[str, str] = field(default_factory=dict)  # cell -> `FULL` or `NONE`


def read_counted(folder: Path, assignment: str) -> dict[str, CountedWork]:
    """Return submitter -> `CountedWork` record of the graded submission."""
    path, keys = folder / COUNTED / f"{assignment}.json", {field.name for field in fields(CountedWork)}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        records = {name: {key: entry[key] for key in keys & entry.keys()} for name, entry in entries.items()}
        return {name: CountedWork(**entry | {"students": tuple(entry["students"])}) for name, entry in records.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(f"{path} cannot be read: restore it from a backup, or delete it and grade again") from None


def write_counted(folder: Path, assignment: str, records: dict[str, CountedWork]) -> None:
    path = folder / COUNTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    entries = {student: asdict(record) for student, record in sorted(records.items())}
    write_file(path, json.dumps(entries, indent=1) + "\n", 0o600)


def read_groups(course: Course, assignment: str) -> dict[str, list[str]]:
    """Return group -> members; empty unless the assignment is group work."""
    groups: dict[str, list[str]] = {}
    if course.plan.get_assignment(assignment).group_work:
        for person in People(course).roster:
            if name := person.find_group(assignment):
                groups.setdefault(name, []).append(person.id)
    return groups


def add_group_members(course: Course, assignment: str, students: list[str]) -> list[str]:
    groups = read_groups(course, assignment).values()
    members = [student for group in groups if {*group} & {*students} for student in group]
    return list(dict.fromkeys([*students, *members]))


def find_submitters(course: Course, assignment: str, step: str = "submitted", as_graded: bool = True) -> dict[str, str]:
    """Return student -> submitter whose submission counts for the student and exists in the folder `step`.

    `as_graded`: whether a graded submission counts for the group at the time of grading, instead of today's group.
    """
    submitters = course.find_students_with_folder("submitted", assignment)
    folders = submitters if step == "submitted" else course.find_students_with_folder(step, assignment)
    records = read_counted(course.folder, assignment) if as_graded and not course.regroups else {}
    existing = {name: record for name, record in records.items() if name in folders}
    submitter_of = {student: name for name, record in existing.items() for student in record.students}
    for group in read_groups(course, assignment).values():
        if members := submitters.intersection(group) or folders.intersection(group):
            first_submitter = find_first_submitter(course, assignment, members)
            # A graded submission gets no new members, except for students whose own graded submission has been removed.
            joining = [student for student in group if first_submitter not in records or student in records]
            submitter_of = dict.fromkeys(joining, first_submitter) | submitter_of
    submitter_of |= {student: student for student in folders}
    students = filter(course.is_included, sorted(submitter_of))
    return {student: submitter_of[student] for student in students if submitter_of[student] in folders}


def list_submission_names(course: Course, assignment: str) -> dict[str, str]:
    """Return submitter -> names of all students for whom the submission counts."""
    people, names = People(course).by_id, defaultdict[str, list[str]](list)
    for student, submitter in find_submitters(course, assignment).items():
        names[submitter].append((people[student].name if student in people else "") or student)
    return {submitter: ", ".join(of_group) for submitter, of_group in names.items()}


def find_regrouped_students(course: Course, assignment: str) -> list[str]:
    """Return the students for whom, with today's groups, a different submission would count than when graded."""
    if not read_counted(course.folder, assignment):
        return []
    old, new = find_submitters(course, assignment), find_submitters(course, assignment, as_graded=False)
    return sorted(student for student in {*old, *new} if old.get(student) != new.get(student))


def find_first_submitter(course: Course, assignment: str, students: Iterable[str]) -> str:
    """Return the one of `students` who submitted first. Submissions without a timestamp come last."""
    folders = {student: course.folder_of("submitted", student, assignment) for student in students}
    times = {student: parse_timestamp(read_timestamp(folder)) for student, folder in folders.items()}
    return min(times, key=lambda student: (times[student] or datetime.datetime.max, student))
