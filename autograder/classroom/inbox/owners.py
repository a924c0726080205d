"""Finds out whose the submissions of a download are.

The outermost part of a path that names a learner decides, and nothing inside it: learners choose the names of their
files, and the platform chooses what comes before.
"""

import datetime
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.chapters.text import clean, join_names
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import read_time
from autograder.classroom.inbox.handed import Handed, digests_of
from autograder.classroom.roster.groups import first_of, groups_of
from autograder.classroom.roster.ids import is_id, normalise
from autograder.classroom.roster.people import People, Person, joined
from autograder.classroom.roster.table import worksheet_of

COLLECTED = ".collected"  # subfolder of the course: original file names, for sending feedback back
_MARK = "_assignsubmission_"
# "lovelaceada_LATE_12345_678910_one_query-1.ipynb": the learner's number, then the submission's.
_CANVAS = re.compile(r"(?P<name>[^/_]+)_(?P<late>LATE_)?(?P<number>[0-9]+)_[0-9]+_(?P<file>[^/]+)")


def read_name(course: Course, place: PurePosixPath, assignment: str, wrapper: str = "") -> tuple[Handed, str] | None:
    """Return whose a file is and the rest of its path, or None if nothing tells, or two things do.

    `place`: in the download; for a file in a learner's own zip file, the place of that.
    `wrapper`: a folder around the whole download, from `wrapper_of`.
    """
    if by_teacher := course.settings["named_regexp"]:
        found = re.match(by_teacher, str(place))
        match = found.groupdict() if found else {}
        handed = Handed("", match.get("student_id") or "", time=match.get("timestamp") or "")
        rest = match.get("file_id")
        rest = rest and (rest if PurePosixPath(rest).suffix else f"{rest}{place.suffix}")
    else:
        parts = _without(place.parts, ("submitted", assignment, wrapper))
        if not parts:
            return None
        owner_and_file = of_platform(*parts)
        if owner_and_file is None and (len(parts) == 1 or _MARK in parts[0]):
            return None
        handed, first = owner_and_file or (Handed("", parts[0]), "")
        inside = parts[1:] if first or owner_and_file else _without(parts[1:], (assignment,))
        rest = "/".join(filter(None, (first, *inside)))
    handed.key = normalise(handed.key)
    return (handed, rest) if rest and is_id(handed.key) else None


def of_platform(part: str, *below: str) -> tuple[Handed, str] | None:
    """Return owner and original name of a file that Moodle or Canvas has named, or None."""
    canvas = None if below else _CANVAS.fullmatch(part)
    if _MARK in part:
        name, _, behind = part.partition(_MARK)
        name, _, number = name.rpartition("_")
        _, is_file, rest = behind.partition("file")
        if canvas or _MARK in behind or not is_file or not name or not re.fullmatch(r"[0-9]+", number):
            return None  # ambiguous: a learner has chosen a name in the platform's format
        rest = rest.removeprefix("_")
        prefix = part[: len(part) - len(rest)] + "/" * (not rest)  # if nothing follows, it is a folder
        return Handed("moodle", number, clean(name), False, prefix), rest
    if canvas:
        prefix = part[: canvas.start("file")].replace("_LATE_", "_")
        return Handed("canvas", canvas["number"], clean(canvas["name"]), bool(canvas["late"]), prefix), canvas["file"]
    return None


def wrapper_of(places: list[PurePosixPath], is_learner: Callable[[str], object]) -> str:
    """Return the folder around a whole download, as made by unpacking and zipping it again, or an empty string."""
    first = {place.parts[0] for place in places if place.parts}
    if len(first) != 1 or any(len(place.parts) < 2 for place in places):
        return ""
    (wrapper,) = first
    inside = all(of_platform(*place.parts[1:]) for place in places)
    return wrapper if inside and not of_platform(wrapper, "") and not is_learner(wrapper) else ""


def inside(rest: str) -> PurePosixPath | None:
    path = PurePosixPath(rest.replace("\\", "/"))
    odd = path.is_absolute() or ".." in path.parts or "\0" in rest or re.match(r"[A-Za-z]:", rest) or not path.parts
    return None if odd else path


def _without(parts: Iterable[str], names: tuple[str, ...]) -> list[str]:
    parts = list(parts)
    while parts and parts[0] in names and parts[0]:
        parts.pop(0)
    return parts


def assign_owners(
    course: Course, assignment: str, handed: Iterable[Handed], worksheet: Path | None, problems: list[str]
) -> dict[str, Handed]:
    people, sheet, handed = People(course), worksheet_of(worksheet) if worksheet else {}, list(handed)
    if sheet and not any(submission.key in sheet for submission in handed):
        raise CourseError(f"{worksheet} has nobody of this download: it is the worksheet of another assignment")
    groups = groups_of(course, assignment)
    submitters = [
        (submission, _who(people, submission, sheet, problems) or _member(people, submission, groups, problems))
        for submission in handed
    ]
    claims = Counter(person.id for _, person in submitters if person)
    owners: dict[str, Handed] = {}
    for submission, person in submitters:
        if person is None and submission.name and people.are_several(submission.key, submission.name):
            problems.append(
                f"{submission}: several learners have this name; left out: collect it with --worksheet, which knows "
                "their e-mail addresses"
            )
            continue
        is_identified = person is not None and claims[person.id] == 1
        if person is not None and not is_identified:
            problems.append(
                f"{submission} shares the name with somebody else: only a roster with e-mail addresses tells"
            )
        student = person.id if is_identified else submission.key
        other = people.by_id.get(student)
        if not is_id(student) or student in owners or (not is_identified and other and other is not person):
            sentence = f"{student!r} can be nobody's id" if not is_id(student) else f"{student} is somebody else's id"
            problems.append(f"{submission}: {sentence}; left out: say in the roster who it is")
            continue
        if people.has_roster and student not in {person.id for person in people.listed}:
            problems.append(told_of_stranger(str(submission), submission.key))
        owners[student] = submission
        if not submission.time and submission.key in sheet:
            submission.time = read_time(sheet[submission.key][1], course.plan)
    by_name = [submission for submission, person in submitters if person and submission.platform == "moodle"]
    if by_name and not people.has_roster and not sheet:
        sentence = f"there is no roster, so names decided who {len(by_name)} of {len(submitters)} learners are"
        problems.append(f"{sentence}: `attn course roster` is surer")
    if sheet and course.plan.timezone is None:
        zone = datetime.datetime.now().astimezone().tzname()
        problems.append(
            f"Moodle's times are taken for {zone}, this machine's zone: `timezone` in course.toml names yours"
        )
    if late := [str(submission) for submission, _ in submitters if submission.is_late]:
        problems.append(f"marked late by Canvas, which does not say by how much: {join_names(late)}")
    if drafts := [str(each) for each, _ in submitters if each.key in sheet and sheet[each.key][2]]:
        problems.append(f"Draft (not submitted) in Moodle, and collected like the others: {join_names(drafts)}")
    now = {
        student: {"platform": submission.platform, "prefix": submission.prefix, "late": submission.is_late}
        for student, submission in owners.items()
    }
    write_origins(course, assignment, read_origins(course, assignment) | now)
    return owners


def _who(people: People, handed: Handed, sheet: dict, problems: list[str]) -> Person | None:
    if not handed.platform:
        return people.find(handed.key)
    if handed.key in sheet:
        person = people.find(sheet[handed.key][0]) or people.owner(handed.key, handed.name, False)
        if person is None:
            problems.append(f"{handed}: nobody in the course has the address {sheet[handed.key][0]}")
        return person
    return people.owner(handed.key, handed.name, handed.platform == "canvas")


def told_of_stranger(who: str, student: str) -> str:
    advice = f"If it is somebody you know: attn course roster --same {student} ID"
    return f"{who} is not in the roster: taken as {student}. {advice}"


def _member(people: People, handed: Handed, groups: dict[str, list[str]], problems: list[str]) -> Person | None:
    """Return a member of the group that a submission is named after, as in Canvas or teachers' own folders."""
    named = [group for name, group in groups.items() if joined(name) == joined(handed.name or handed.key)]
    if len(named) == 1 and handed.platform:  # where learners choose what they are called
        problems.append(
            f"{handed} is called like a group: it counts for {join_names(named[0])}, if the group handed it in"
        )
    return people.by_id[named[0][0]] if len(named) == 1 else None


def read_origins(course: Course, assignment: str) -> dict[str, dict[str, Any]]:
    try:
        return json.loads((course.folder / COLLECTED / f"{assignment}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_origins(course: Course, assignment: str, origins: dict[str, dict[str, Any]]) -> None:
    path = course.folder / COLLECTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, json.dumps(origins, indent=1) + "\n")


def late_in(course: Course, assignment: str) -> set[str]:
    return {student for student, origin in read_origins(course, assignment).items() if origin.get("late")}


def without_copies(course: Course, assignment: str, handed: dict[str, Handed]) -> dict[str, Handed]:
    """Return the submissions without Moodle's copies of a group's work; a member collected before stays."""
    submissions = dict(handed)
    for group in groups_of(course, assignment).values():
        members = [student for student in group if student in handed]
        members.sort(key=lambda student: not course.folder_of("submitted", student, assignment).is_dir())
        works = [digests_of(handed[student].folder) for student in members] if len(members) > 1 else []
        for other, work in zip(members[1:], works[1:], strict=False):
            if work == works[0]:
                del submissions[other]
    return submissions


def questions(course: Course, assignment: str) -> dict[str, str]:
    """Return student -> a question for the teacher, for those who submitted differently from their group."""
    sentences: dict[str, str] = {}
    handed_in = course.holders("submitted", assignment)
    for name, group in groups_of(course, assignment).items():
        if len(members := handed_in.intersection(group)) > 1:
            first = first_of(course, assignment, members)
            works = {student: digests_of(course.folder_of("submitted", student, assignment)) for student in members}
            for other in sorted(members - {first}):
                if works[other] != works[first]:
                    sentences[other] = (
                        f"has handed in something else for {assignment} than {first}, who is in {name} too and came "
                        f"first: {other} has the points of that, the others of {name} have those of {first}. If one of "
                        "the two shall not count, take its folder out of submitted/; if one of them works alone, "
                        "empty `group` in that line of roster.csv"
                    )
    return sentences
