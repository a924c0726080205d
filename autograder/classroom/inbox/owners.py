"""Whose the submissions of a download are: what a platform calls learners, brought to who they are in the course."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters.files import write_whole
from autograder.classroom.course.times import read_time, stamp
from autograder.classroom.roster.ids import is_id
from autograder.classroom.roster.people import People
from autograder.classroom.roster.platform_tables import worksheet_of

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


COLLECTED = ".collected"  # in the course's folder: what each learner's files were called, for the way back


@dataclass(frozen=True)
class Origin:
    """Where a submission came from."""

    platform: str  # "moodle", "canvas", or empty for a folder called after the learner
    number: str  # As the platform has them. Moodle's number belongs to one assignment, Canvas's to one person.
    name: str = ""
    is_late: bool = False  # whether the platform says so
    prefix: str = ""  # what the name of a file has to begin with so that the platform takes it back for this learner


def assign_owners(course: Course, assignment: str, handed: dict, worksheet: Path | None, problems: list[str]) -> dict:
    """Bring what was handed in to the learners of the course.

    `handed`: origin -> what was handed in, with a ``timestamp``.
    `worksheet`: Moodle's, which knows e-mail addresses and times.
    `problems`: gets a sentence for all that a teacher should know.
    Gives student id -> what was handed in.
    """
    people, sheet = People(course), worksheet_of(worksheet) if worksheet else {}
    found = {origin: _who(people, origin, sheet, problems) for origin in handed}
    claims = Counter(person.id for person in found.values() if person)
    owners, due = {}, course.due(assignment)
    for origin, person in found.items():
        known = person is not None and claims[person.id] == 1
        if person is not None and not known:
            problems.append(
                f"{_told(origin)} shares the name with somebody else: only a roster with e-mail addresses tells"
            )
        student = person.id if known else origin.number
        other = people.by_id.get(student)
        if not is_id(student) or student in owners or (not known and other and other is not person):
            told = f"{student!r} can be nobody's id" if not is_id(student) else f"{student} is somebody else's id"
            problems.append(f"{_told(origin)}: {told}; left out: say in the roster who it is")
            continue
        if people.has_roster and not known and origin.platform:
            problems.append(
                f"{_told(origin)} is not in the roster: taken as {origin.number}. If it is somebody you know: "
                f"attn course roster --same {origin.number} ID"
            )
        owners[student] = handed[origin]
        _date(handed[origin], origin, sheet, due)
    by_name = [origin for origin, person in found.items() if person and origin.platform == "moodle"]
    if by_name and not people.has_roster and not sheet:
        told = f"there is no roster, so names decided who {len(by_name)} of {len(handed)} learners are"
        problems.append(f"{told}: `attn course roster` is surer")
    problems += _marked_late(handed, due)
    origins = {student: origin for origin in handed for student in owners if owners[student] is handed[origin]}
    _remember(course, assignment, origins)
    return owners


def _marked_late(handed, due):
    late = [origin for origin in handed if origin.is_late]
    told = "one minute is counted" if due else "and this course has no due date"
    if late:
        yield f"marked late by Canvas, which does not say by how much, {told}: {', '.join(map(_told, late[:10]))}"


def _who(people, origin, sheet, problems):
    if not origin.platform:
        return people.find(origin.number)
    if origin.number in sheet:
        person = people.find(sheet[origin.number][0]) or people.owner(origin.number, origin.name, False)
        if person is None:
            problems.append(f"{_told(origin)}: nobody in the course has the address {sheet[origin.number][0]}")
        return person
    return people.owner(origin.number, origin.name, origin.platform == "canvas")


def _told(origin):
    return f"{origin.name} ({origin.number})" if origin.name else origin.number


def _date(handed, origin, sheet, due):
    """When it was handed in, where somebody knows."""
    if not handed.timestamp and origin.number in sheet:
        handed.timestamp = read_time(sheet[origin.number][1])
    if not handed.timestamp and origin.is_late and due:
        handed.timestamp = stamp(due + datetime.timedelta(minutes=1))


def _remember(course, assignment, origins):
    path = course.folder / COLLECTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    kept = read_origins(course, assignment) | {
        student: {"platform": origin.platform, "prefix": origin.prefix} for student, origin in origins.items()
    }
    write_whole(path, json.dumps(kept, indent=1) + "\n")


def rename_origin(course, old, new):
    """Remember what one learner handed in as another's."""
    for path in (course.folder / COLLECTED).glob("*.json"):
        kept = read_origins(course, path.stem)
        if old in kept:
            kept.setdefault(new, kept.pop(old))
            write_whole(path, json.dumps(kept, indent=1) + "\n")


def read_origins(course, assignment):
    """Student id -> the platform and the prefix of an assignment's submissions, as far as they were downloaded."""
    try:
        return json.loads((course.folder / COLLECTED / f"{assignment}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
