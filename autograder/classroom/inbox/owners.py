"""The owners of the submissions in a download, and the platform's names for them.

Only the part of a path that the platform has written is used, because learners choose the names of their files.
"""

import datetime
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_file
from autograder.chapters.text import clean, join_names
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import parse_worksheet_time
from autograder.classroom.inbox.handed import Upload, hash_each_file
from autograder.classroom.roster.counted import find_first_submitter, read_groups
from autograder.classroom.roster.ids import is_id, normalise_id
from autograder.classroom.roster.people import People, Person, join_name
from autograder.classroom.roster.table import read_worksheet

# A subfolder of the course with the platform's file names, which are needed for uploading feedback.
COLLECTED = ".collected"
_MOODLE_MARK = "_assignsubmission_"
# In "lovelaceada_LATE_12345_678910_one_query-1.ipynb", 12345 is the learner's number and 678910 the submission's.
_CANVAS_NAME = re.compile(r"(?P<name>[^/_]+)_(?P<late>LATE_)?(?P<number>[0-9]+)_[0-9]+_(?P<file>[^/]+)")


def parse_path(course: Course, place: PurePosixPath, assignment: str, wrapper: str = "") -> tuple[Upload, str] | None:
    """Return the submission to which a file belongs, and the file's path in it; None if the owner is unclear.

    `place`: the path in the download. For a file in a learner's zip file, it is the path of the zip file.
    `wrapper`: the folder that contains the whole download, from `find_wrapper`.
    """
    if by_teacher := course.settings["named_regexp"]:
        match_by_teacher = re.match(by_teacher, str(place))
        match = match_by_teacher.groupdict() if match_by_teacher else {}
        incoming = Upload("", match.get("student_id") or "", time=match.get("timestamp") or "")
        path = match.get("file_id")
        path = path and (path if PurePosixPath(path).suffix else f"{path}{place.suffix}")
    else:
        parts = _skip_leading(place.parts, "submitted", assignment, wrapper)
        parsed = parse_platform_name(*parts) if parts else None
        if parsed is None and (len(parts) < 2 or _MOODLE_MARK in parts[0]):
            return None
        incoming, top = parsed or (Upload("", parts[0]), "")
        path = "/".join(filter(None, (top, *(parts[1:] if parsed else _skip_leading(parts[1:], assignment)))))
    incoming.key = normalise_id(incoming.key)
    return (incoming, path) if path and is_id(incoming.key) else None


def parse_platform_name(part: str, *parts_below: str) -> tuple[Upload, str] | None:
    """Parse a file's name from Moodle or Canvas. Return the submission and the original name; None for other names."""
    canvas = None if parts_below else _CANVAS_NAME.fullmatch(part)
    if _MOODLE_MARK in part:
        name, _, identification = part.partition(_MOODLE_MARK)
        name, _, number = name.rpartition("_")
        _, is_file, rest = identification.partition("file")
        if canvas or _MOODLE_MARK in identification or not is_file or not name or not re.fullmatch(r"[0-9]+", number):
            # The name is ambiguous, because the learner has named a file in the platform's format.
            return None
        rest = rest.removeprefix("_")
        # If nothing follows the prefix, this is the name of a folder.
        prefix = part[: len(part) - len(rest)] + "/" * (not rest)
        return Upload("moodle", number, clean(name), False, prefix), rest
    if canvas:
        prefix = part[: canvas.start("file")].replace("_LATE_", "_")
        return Upload("canvas", canvas["number"], clean(canvas["name"]), bool(canvas["late"]), prefix), canvas["file"]
    return None


def find_wrapper(places: list[PurePosixPath], is_learner: Callable[[str], object]) -> str:
    """Return the folder that contains the whole download, which repacking a zip file adds; "" if there is none."""
    top_folders = {place.parts[0] for place in places if place.parts}
    if len(top_folders) != 1 or any(len(place.parts) < 2 for place in places):
        return ""
    (wrapper,) = top_folders
    has_platform_names = all(parse_platform_name(*place.parts[1:]) for place in places)
    return wrapper if has_platform_names and not parse_platform_name(wrapper, "") and not is_learner(wrapper) else ""


def parse_relative_path(text: str) -> PurePosixPath | None:
    """Return a relative path, or None if it leads out of its folder on some operating system."""
    path = PurePosixPath(text.replace("\\", "/"))
    leads_out = path.is_absolute() or ".." in path.parts or "\0" in text or re.match(r"[A-Za-z]:", text)
    return None if leads_out or not path.parts else path


def _skip_leading(parts: Sequence[str], *names: str) -> list[str]:
    return list(itertools.dropwhile(lambda part: part and part in names, parts))


def assign_owners(
    course: Course, assignment: str, submissions: list[Upload], worksheet: Path | None, problems: list[str]
) -> dict[str, Upload]:
    """Return student ID -> submission, and record the platform's file names. Add sentences on doubts to `problems`."""
    people, sheet = People(course), read_worksheet(worksheet) if worksheet else {}
    if sheet and not any(submission.key in sheet for submission in submissions):
        raise CourseError(f"{worksheet} lists nobody from this download: it belongs to another assignment")
    groups = read_groups(course, assignment)
    submitters = [
        (entry, _find_owner(people, entry, sheet, problems) or _find_member(people, entry, groups, problems))
        for entry in submissions
    ]
    claims = Counter(person.id for _, person in submitters if person)
    owners: dict[str, Upload] = {}
    for submission, person in submitters:
        if person is None and submission.name and people.is_ambiguous(submission.key, submission.name):
            advice = "collect it with --worksheet, which knows their e-mail addresses"
            problems.append(f"{submission}: several learners have this name; skipped: {advice}")
            continue
        is_identified = person is not None and claims[person.id] == 1
        if person is not None and not is_identified:
            advice = "only a roster with e-mail addresses tells them apart"
            problems.append(f"{submission} shares a name with another learner: {advice}")
        student = person.id if is_identified else submission.key
        owner = people.by_id.get(student)
        if not is_id(student) or student in owners or (not is_identified and owner and owner is not person):
            sentence = f"{student!r} is not a valid id" if not is_id(student) else f"{student} is another learner's id"
            problems.append(f"{submission}: {sentence}; skipped: add this learner to the roster")
            continue
        if people.has_roster and student not in {person.id for person in people.roster}:
            advice = f"if it has this learner, correct that line, collect again, and `attn course forget {student}`"
            problems.append(f"{submission} is not in the roster: recorded as {student}; {advice}")
        owners[student] = submission
        if not submission.time and submission.key in sheet:
            submission.time = parse_worksheet_time(sheet[submission.key][1], course.plan)
    if sheet and course.plan.timezone is None:
        zone = datetime.datetime.now().astimezone().tzname()
        problems.append(f"Moodle's times are read in {zone}, this machine's: `timezone` in course.toml changes that")
    if late_names := [str(submission) for submission, _ in submitters if submission.is_late]:
        problems.append(f"marked late by Canvas, which does not say by how much: {join_names(late_names)}")
    if drafts := [str(entry) for entry, _ in submitters if entry.key in sheet and sheet[entry.key][2]]:
        problems.append(f"Draft (not submitted) in Moodle, and collected like the others: {join_names(drafts)}")
    origins = {
        student: {"platform": submission.platform, "prefix": submission.prefix, "late": submission.is_late}
        for student, submission in owners.items()
    }
    write_origins(course, assignment, read_origins(course, assignment) | origins)
    return owners


def _find_owner(people: People, submission: Upload, sheet: dict, problems: list[str]) -> Person | None:
    key = submission.key
    if not submission.platform:
        return people.find(key)
    if key not in sheet:
        return people.find_owner(key, submission.name, submission.platform == "canvas")
    person = people.find(sheet[key][0]) or people.find_owner(key, submission.name, False)
    if person is None:
        problems.append(f"{submission}: nobody in the course has the address {sheet[key][0]}")
    return person


def _find_member(
    people: People, submission: Upload, groups: dict[str, list[str]], problems: list[str]
) -> Person | None:
    """Return the first member of the group that a submission is named after (by Canvas or the teacher), or None."""
    name = join_name(submission.name or submission.key)
    matching_groups = [members for group, members in groups.items() if join_name(group) == name]
    if len(matching_groups) != 1:
        return None
    # On a platform, a learner may choose any name, even that of a group.
    if submission.platform:
        members = f"{join_names(matching_groups[0])}, if the group handed it in"
        problems.append(f"{submission} has the name of a group: it counts for {members}")
    return people.by_id[matching_groups[0][0]]


def read_origins(course: Course, assignment: str) -> dict[str, dict[str, Any]]:
    """Return student -> a dict with "platform", "prefix" (of the platform's file names) and "late" (if marked late)."""
    try:
        return json.loads((course.folder / COLLECTED / f"{assignment}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_origins(course: Course, assignment: str, origins: dict[str, dict[str, Any]]) -> None:
    path = course.folder / COLLECTED / f"{assignment}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_file(path, json.dumps(origins, indent=1) + "\n")


def drop_group_copies(course: Course, assignment: str, submissions: dict[str, Upload]) -> dict[str, Upload]:
    """Return the submissions with one of Moodle's copies per group, preferably that of a member with earlier work."""
    remaining = dict(submissions)
    for group in read_groups(course, assignment).values():
        members = [student for student in group if student in submissions]
        members.sort(key=lambda student: not course.folder_of("submitted", student, assignment).is_dir())
        hashes = [hash_each_file(submissions[student].folder) for student in members] if len(members) > 1 else []
        for member, of_files in zip(members[1:], hashes[1:], strict=False):
            if of_files == hashes[0]:
                del remaining[member]
    return remaining


def ask_about_groups(course: Course, assignment: str) -> dict[str, str]:
    """Return student -> question for the teacher, for students whose submission differs from their group's."""
    sentences: dict[str, str] = {}
    submitters = course.find_students_with_folder("submitted", assignment)
    for name, group in read_groups(course, assignment).items():
        if len(members := submitters.intersection(group)) > 1:
            first = find_first_submitter(course, assignment, members)
            hashes = {member: hash_each_file(course.folder_of("submitted", member, assignment)) for member in members}
            for second in sorted(members - {first}):
                if hashes[second] != hashes[first]:
                    sentences[second] = (
                        f"has handed in different work for {assignment} than {first}, who is also in {name} and came "
                        f"first: {second} gets the points of that work, the others of {name} those of {first}. To "
                        "change that, remove a folder from submitted/, or clear `group` in roster.csv"
                    )
    return sentences
