"""Collection of submissions from a learning platform's download, which is a zip file or a folder.

This module recognises file names from Moodle and Canvas, folders named after learners, and names that match the regular
expression of `nbgrader zip_collect`. An unrecognised file is reported, whereas nbgrader stops at the first one.
"""

import contextlib
import datetime
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from autograder.api import MAX_FILE_BYTES, Archive
from autograder.chapters.errors import CourseError, UnreadableAnswer, reason_of
from autograder.chapters.files import read_plain
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.course.plan import Plan
from autograder.classroom.course.times import format_timestamp, parse_file_name_time, parse_timestamp, read_timestamp
from autograder.classroom.gradebook.queries import read_released_notebooks, read_students
from autograder.classroom.inbox import owners
from autograder.classroom.inbox.arrivals import MAX_FILES, find_chapters
from autograder.classroom.inbox.handed import NOT_WORK, REPLACED, Upload, hash_each_file, open_staging_folder
from autograder.classroom.roster.ids import make_comparison_key
from autograder.classroom.roster.people import People, split_name
from autograder.classroom.roster.until import find_closing_times

# Canvas's name for the fictitious learner with which teachers test an assignment.
CANVAS_TEST_STUDENT = "studenttest"
NO_OWNER = "not read: its name does not say whose it is, names two learners, or is that of a text typed into Moodle"
_IGNORED = ("__MACOSX", "__pycache__", *NOT_WORK)

# "new", "replaced" and "same" -> students; "problems" -> sentences about skipped files and submissions
Collected = dict[str, list[str]]
Member = tuple[PurePosixPath, str, bytes]  # (path in the download, path in the learner's zip file or "", content)


def collect_download(course: Course, assignment: str, source: Path, worksheet: Path | None = None) -> Collected:
    collected: Collected = {"new": [], "replaced": [], "same": [], "problems": []}
    problems = collected["problems"]
    with open_staging_folder(course.folder) as staging:
        incoming = _read_submissions(course, assignment, Path(source), staging, problems)
        if not incoming:
            raise CourseError(
                f"no file in {source} can be matched to a learner: it needs names from Moodle or Canvas, folders named "
                "after learners, or c.FileNameCollectorPlugin.named_regexp in nbgrader_config.py"
            )
        chapters = [*read_released_notebooks(course.query, assignment)]
        chapters_in = {id(submission): find_chapters(submission.folder, chapters) for submission in incoming}
        if not any(chapters_in.values()):
            names = ", ".join(chapters)
            raise CourseError(f"no file in {source} is a notebook of {assignment} ({names}): is it another download?")
        by_student = owners.assign_owners(course, assignment, incoming, worksheet, problems)
        submissions = owners.drop_group_copies(course, assignment, _enrol(course, by_student, problems))
        closing = find_closing_times(course, assignment)
        for student, submission in sorted(submissions.items()):
            folder = course.folder_of("submitted", student, assignment)
            if closing and (sentence := _keep_earlier(folder, submission, closing(student))):
                problems.append(f"{student}: arrived {sentence}; the version that arrived in time is kept")
                continue
            if folder.is_dir():
                missing = sorted(find_chapters(folder, chapters) - chapters_in[id(submission)])
                files = [f"{chapter}.ipynb" for chapter in missing if (folder / f"{chapter}.ipynb").is_file()]
                for name in files:
                    shutil.copy2(folder / name, submission.folder / name)
                if files:
                    problems.append(f"{student}: {', '.join(files)} is missing this time; the earlier version is kept")
            try:
                kept_folder = course.folder / REPLACED / assignment / student
                collected[submission.deliver(folder, kept_folder)].append(student)
            except OSError as error:
                problems.append(f"{student}: {error.filename} cannot be written: {reason_of(error)}; skipped")
    if collected["replaced"]:
        names = ", ".join(collected["replaced"])
        problems.append(f"replaced: {names}; earlier versions are in {REPLACED}/{assignment} until graded again")
    if course.find_due_date(assignment):
        folders = {key: course.folder_of("submitted", key, assignment) for key in sorted(submissions)}
        if unknown := [key for key, folder in folders.items() if not read_timestamp(folder)]:
            problems.append(f"no time is known for {len(unknown)} of {len(folders)}: {join_names(unknown)}")
    return collected


def _keep_earlier(folder: Path, submission: Upload, closes: datetime.datetime) -> str:
    """Return a phrase on when a submission arrived if an earlier, on-time one must be kept; otherwise ""."""
    old_time, new_time = parse_timestamp(read_timestamp(folder)), parse_timestamp(submission.time)
    if old_time is None or old_time > closes or (new_time and new_time <= closes):
        return ""
    if new_time:
        return f"after {folder.name} had closed"
    return "at an unknown time" if hash_each_file(folder) != hash_each_file(submission.folder) else ""


def _read_submissions(
    course: Course, assignment: str, source: Path, staging: Path, problems: list[str]
) -> list[Upload]:
    """Return the submissions in a download. The files of each are written to a folder in `staging`."""
    attempts, people = dict[tuple[str, str], dict[str, Upload]](), People(course)
    with open_download(source) as (places, read_member):
        wrapper = owners.find_wrapper([place for place in places if not is_ignored(place)], people.find)
        for place, inner, data in read_members(places, read_member, problems):
            member = f"{place}/{inner}" if inner else str(place)
            incoming, tail = owners.parse_path(course, place, assignment, wrapper) or (None, "")
            if incoming is None:
                problems.append(f"{member}: {NO_OWNER}")
                continue
            path_inside = str(PurePosixPath(tail).parent / inner.lstrip("/")) if inner else tail
            if (path := owners.parse_relative_path(path_inside)) is None:
                problems.append(f"{member}: points outside the folder; skipped")
                continue
            if incoming.platform == "canvas" and incoming.name == CANVAS_TEST_STUDENT:
                problems.append(f"{member}: Canvas's Test Student; skipped")
                continue
            incoming.time = parse_file_name_time(incoming.time, course.plan)
            of_learner = attempts.setdefault((incoming.platform, incoming.key), {})
            incoming.folder = staging / f"{len(attempts)}-{len(of_learner)}"
            if problem := of_learner.setdefault(incoming.time, incoming).add_file(path, data):
                problems.append(f"{member}: {problem}")
    return [_choose_last(of_learner, course.plan, problems) for of_learner in attempts.values()]


def _choose_last(attempts: dict[str, Upload], plan: Plan, problems: list[str]) -> Upload:
    """Return the last of a learner's submissions. `attempts`: time -> submission."""
    newest = max(attempts, key=lambda time: (parse_timestamp(time) or datetime.datetime.min, time))
    if older := sorted(time for time in attempts if time != newest):
        last_time, *times = (format_timestamp(time, plan) or "one without a time" for time in (newest, *older))
        problems.append(f"{attempts[newest]}: the attempt of {last_time} counts; not used: {', '.join(times)}")
    return attempts[newest]


def _enrol(course: Course, submissions: dict[str, Upload], problems: list[str]) -> dict[str, Upload]:
    """Add new learners to the gradebook. Return student -> submission, without new IDs that resemble others."""
    enrolled, known_ids = dict[str, Upload](), {student.id for student in read_students(course.query)}
    student_of: dict[str, str] = {make_comparison_key(student): student for student in known_ids}
    for student in sorted(submissions, key=lambda name: (name not in known_ids, not name.isascii(), name)):
        known_id = student_of.setdefault(make_comparison_key(student), student)
        if student not in known_ids and known_id != student:
            problems.append(f"{student}: looks like {known_id}, a different learner; skipped")
            continue
        enrolled[student] = submissions[student]
    if new := enrolled.keys() - known_ids:
        with course.open_gradebook() as gradebook:
            for student in sorted(new):
                gradebook.add_student(student, **split_name(submissions[student].name))
    return enrolled


@contextlib.contextmanager
def open_download(source: Path) -> Iterator[tuple[list[PurePosixPath], Callable[[int], bytes]]]:
    """Yield the paths of all files in a download, and a function that reads the file with a given index."""
    if source.is_dir():
        paths = [path for path in sorted(source.rglob("*")) if not path.is_dir() or path.is_symlink()]
        places = [PurePosixPath(path.relative_to(source).as_posix()) for path in paths]
        yield places, lambda number: read_plain(paths[number], MAX_FILE_BYTES)
        return
    if not source.is_file():
        raise CourseError(f"{source} is {'neither a zip file nor a folder' if source.exists() else 'not there'}")
    with source.open("rb") as file:
        try:
            archive = Archive(file=file)
        except UnreadableAnswer:
            raise CourseError(f"{source} is neither a zip file nor a folder") from None
        with archive:
            yield [PurePosixPath(name.replace("\\", "/").lstrip("/")) for name in archive.names], archive.read_member


def read_members(
    places: Iterable[PurePosixPath], read_member: Callable[[int], bytes], problems: list[str]
) -> Iterator[Member]:
    """Yield the files of a download that are not ignored. For each unusable one, add a sentence to `problems`."""
    for number, place in enumerate(places):
        if is_ignored(place):
            continue
        try:
            data = read_member(number)
            if place.suffix.lower() == ".zip" and data[:2] == b"PK":
                yield from _unzip(place, data, problems)
            else:
                yield place, "", data
        except UnreadableAnswer as error:
            problems.append(f"{place}: {str(error).removeprefix('is ')}; skipped")


def is_ignored(place: PurePosixPath) -> bool:
    return not place.parts or any(part in _IGNORED or (part[0] == "." and part != "..") for part in place.parts)


def _unzip(place: PurePosixPath, content: bytes, problems: list[str]) -> Iterator[Member]:
    with Archive(content) as archive:
        for number, inner in enumerate(archive.names):
            if is_ignored(PurePosixPath(inner)):
                continue
            if number >= MAX_FILES or archive.taken >= MAX_FILE_BYTES:
                problems.append(f"{place}: contains more than a submission may; the rest is skipped")
                return
            try:
                data = archive.read_member(number)
            except UnreadableAnswer as error:
                problems.append(f"{place}/{inner}: {str(error).removeprefix('is ')}; skipped")
                continue
            yield place, inner, data
