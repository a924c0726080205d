"""Takes submissions from a learning platform's download: a zip file, or a folder of files.

nbgrader's own `zip_collect` needs a regular expression, and stops at the first file that it cannot place. Its
expression works here as well; without one, names made by Moodle and Canvas are recognised, and folders named after
learners.
"""

import contextlib
import datetime
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.api import MAX_FILE_BYTES, Archive
from autograder.chapters.errors import CourseError, UnreadableAnswer, reason_of
from autograder.chapters.files import read_plain
from autograder.chapters.text import join_names
from autograder.classroom.course.course import Course
from autograder.classroom.course.plan import Plan
from autograder.classroom.course.times import in_zone, local_time, parse_timestamp, read_timestamp
from autograder.classroom.gradebook.queries import released, students
from autograder.classroom.inbox.arrivals import MAX_FILES, brought
from autograder.classroom.inbox.handed import NOT_WORK, REPLACED, Handed, digests_of, staged
from autograder.classroom.inbox.owners import assign_owners, inside, read_name, without_copies, wrapper_of
from autograder.classroom.roster.ids import comparison_key
from autograder.classroom.roster.people import People, split_name
from autograder.classroom.roster.until import closing_of

CANVAS_TEST = "studenttest"  # Canvas's name of the learner with whom teachers test an assignment
NOBODYS = "nothing in its name says whose it is, or two things do"
ONLINE_TEXT = "_assignsubmission_onlinetext_"  # in Moodle's names of texts that were typed into its form
_IGNORED = ("__MACOSX", "__pycache__", *NOT_WORK)


Collected = dict[str, list[str]]  # "new", "replaced" and "same" students; "problems": sentences about what is left out


def collect_download(course: Course, assignment: str, source: Path, worksheet: Path | None = None) -> Collected:
    collected: Collected = {"new": [], "replaced": [], "same": [], "problems": []}
    problems = collected["problems"]
    with staged(course.folder) as staging:
        handed = _read(course, assignment, Path(source), staging, problems)
        if not handed:
            raise CourseError(
                f"no file in {source} can be given to a learner: names as Moodle and Canvas make them are known, "
                "folders called after learners, and c.FileNameCollectorPlugin.named_regexp in nbgrader_config.py"
            )
        asked = [*released(course.read, assignment)]
        held = {id(of): brought(of.folder, asked) for of in handed.values()}
        if not any(held.values()):
            raise CourseError(
                f"no file in {source} is a notebook of {assignment} ({', '.join(asked)}): is it the download of "
                "another assignment?"
            )
        handed = assign_owners(course, assignment, handed.values(), worksheet, problems)
        handed = without_copies(course, assignment, _enrolled(course, handed, problems))
        closing = closing_of(course, assignment)
        for student, of in sorted(handed.items()):
            here = course.folder_of("submitted", student, assignment)
            before, now = parse_timestamp(read_timestamp(here)), parse_timestamp(of.time)
            was_in_time = closing and before and before <= closing(student)
            is_other = now is not None or digests_of(here) != digests_of(of.folder)
            if closing and was_in_time and is_other and (now is None or now > closing(student)):
                what = f"after {assignment} had closed" if now else "at an unknown time"
                problems.append(f"{student}: came {what}; what came in time stays")
                continue
            if here.is_dir():
                less = sorted(brought(here, asked) - held[id(of)])
                files = [f"{chapter}.ipynb" for chapter in less if (here / f"{chapter}.ipynb").is_file()]
                for name in files:
                    shutil.copy2(here / name, of.folder / name)
                if files:
                    problems.append(f"{student}: brings no {', '.join(files)} now; the earlier one stays")
            try:
                kept = course.folder / REPLACED / assignment / student
                collected[of.deliver(here, kept)].append(student)
            except OSError as error:
                sentence = f"{error.filename} cannot be written: {reason_of(error)}"
                problems.append(f"{student}: {sentence}; left out")
    if collected["replaced"]:
        problems.append(
            f"replaced: {', '.join(collected['replaced'])}; what was there stays in {REPLACED}/{assignment} until it "
            "is graded again"
        )
    if course.due(assignment):
        unknown = [who for who in sorted(handed) if not read_timestamp(course.folder_of("submitted", who, assignment))]
        if unknown:
            problems.append(f"no time is known of {len(unknown)} of {len(handed)}: {join_names(unknown)}")
    return collected


def _read(
    course: Course, assignment: str, source: Path, staging: Path, problems: list[str]
) -> dict[tuple[str, str], Handed]:
    attempts, people = dict[tuple[str, str], dict[str, Handed]](), People(course)
    with opened(source) as (places, read_member):
        real = [place for place in places if not is_ignored(place)]
        wrapper = wrapper_of(real, people.find)
        for member in members(places, read_member, problems):
            handed, rest = read_name(course, member.place, assignment, wrapper) or (None, "")
            if handed is None:
                is_text = ONLINE_TEXT in str(member.place)
                reason = "a text typed into Moodle, perhaps a request; not read" if is_text else NOBODYS
                problems.append(f"{member}: {reason}")
                continue
            path = inside(str(PurePosixPath(rest).parent / member.inner.lstrip("/")) if member.inner else rest)
            if path is None:
                problems.append(f"{member}: leads out of the folder; left out")
                continue
            if handed.platform == "canvas" and handed.name == CANVAS_TEST:
                problems.append(f"{member}: Canvas's Test Student; left out")
                continue
            handed.time = in_zone(handed.time, course.plan)
            of_learner = attempts.setdefault((handed.platform, handed.key), {})
            handed.folder = staging / f"{len(attempts)}-{len(of_learner)}"
            handed = of_learner.setdefault(handed.time, handed)
            if problem := handed.take(path, member.data):
                problems.append(f"{member}: {problem}")
    return {key: _last_of(of_learner, course.plan, problems) for key, of_learner in attempts.items()}


def _last_of(attempts: dict[str, Handed], plan: Plan, problems: list[str]) -> Handed:
    last = max(attempts, key=lambda time: (parse_timestamp(time) or datetime.datetime.min, time))
    if left := sorted(time for time in attempts if time != last):
        last_time, *times = (local_time(time, plan) or "one without a time" for time in (last, *left))
        problems.append(f"{attempts[last]}: the attempt of {last_time} counts; left aside: {', '.join(times)}")
    return attempts[last]


def _enrolled(course: Course, handed: dict[str, Handed], problems: list[str]) -> dict[str, Handed]:
    """Add new learners to the gradebook; leave out ids that look like another learner's."""
    enrolled, known = dict[str, Handed](), {student.id for student in students(course.read)}
    student_of: dict[str, str] = {comparison_key(student): student for student in known}
    for student in sorted(handed, key=lambda who: (who not in known, not who.isascii(), who)):
        other = student_of.setdefault(comparison_key(student), student)
        if student not in known and other != student:
            problems.append(f"{student}: looks like {other}, who is somebody else; left out")
            continue
        enrolled[student] = handed[student]
    if new := enrolled.keys() - known:
        with course.gradebook() as gradebook:
            for student in sorted(new):
                gradebook.add_student(student, **split_name(handed[student].name))
    return enrolled


@dataclass(frozen=True)
class Member:
    # In the download, as the platform or the teacher named it; for a file in a learner's zip, the zip's place.
    place: PurePosixPath
    inner: str  # path in a learner's zip file, or empty
    data: bytes

    def __str__(self) -> str:
        return f"{self.place}/{self.inner}" if self.inner else str(self.place)


@contextlib.contextmanager
def opened(source: Path) -> Iterator[tuple[list[PurePosixPath], Callable[[int], bytes]]]:
    """Yield the places of all files in a download, and a function that reads a file by its number."""
    if source.is_dir():
        paths = [path for path in sorted(source.rglob("*")) if not path.is_dir() or path.is_symlink()]
        places = [PurePosixPath(path.relative_to(source).as_posix()) for path in paths]
        yield places, lambda number: read_plain(paths[number], MAX_FILE_BYTES)
        return
    if not source.is_file():
        raise CourseError(f"{source} is {'no zip file and no folder' if source.exists() else 'not there'}")
    with source.open("rb") as file:
        try:
            archive = Archive(file=file)
        except UnreadableAnswer:
            raise CourseError(f"{source} is neither a zip file nor a folder") from None
        with archive:
            yield [PurePosixPath(name.replace("\\", "/").lstrip("/")) for name in archive.names], archive.read_member


def members(
    places: Iterable[PurePosixPath], read_member: Callable[[int], bytes], problems: list[str]
) -> Iterator[Member]:
    """Yield every file of a download, and add a sentence to `problems` for each that is left out."""
    for number, place in enumerate(places):
        if is_ignored(place):
            continue
        if ".." in place.parts or "\0" in str(place):
            problems.append(f"{place}: leads out of the folder; left out")
            continue
        try:
            data = read_member(number)
            if place.suffix.lower() == ".zip" and data[:2] == b"PK":
                yield from _unzipped(place, data, problems)
            else:
                yield Member(place, "", data)
        except UnreadableAnswer as error:
            problems.append(f"{place}: {str(error).removeprefix('is ')}; left out")


def is_ignored(place: PurePosixPath) -> bool:
    return not place.parts or any(part in _IGNORED or (part[0] == "." and part != "..") for part in place.parts)


def _unzipped(place: PurePosixPath, content: bytes, problems: list[str]) -> Iterator[Member]:
    with Archive(content) as archive:
        for number, inner in enumerate(archive.names):
            if is_ignored(PurePosixPath(inner)):
                continue
            if number >= MAX_FILES or archive.taken >= MAX_FILE_BYTES:
                problems.append(f"{place}: holds more than one learner can hand in; the rest is left out")
                return
            try:
                data = archive.read_member(number)
            except UnreadableAnswer as error:
                problems.append(f"{place}/{inner}: {str(error).removeprefix('is ')}; left out")
                continue
            yield Member(place, inner, data)
