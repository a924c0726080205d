"""Takes submissions out of what a learning platform lets teachers download: a zip file, or a folder of files.

nbgrader's own `zip_collect` does this with a regular expression of the teacher's, and ends at the first file that it
cannot place. Its expression counts here as well; without one the names that Moodle and Canvas give are known, and
folders that are called after learners.
"""

import io
import re
import shutil
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.incoming.arrivals import MAX_FILES
from autograder.classroom.incoming.owners import Origin, assign_owners
from autograder.worker.reading.answers import MAX_FILE_BYTES

# "Ada Lovelace_12345_assignsubmission_file_/one_query.ipynb", in one folder each or all in one.
_MOODLE = re.compile(r"(?P<prefix>(?P<name>[^/]+)_(?P<student_id>\d+)_assignsubmission_\w*?file_?/?)(?P<file>.+)")
# "lovelaceada_LATE_12345_678910_one_query-1.ipynb": the learner's number, then the submission's.
_CANVAS = re.compile(r"(?P<prefix>(?P<name>[^/_]+)_(?P<late>LATE_)?(?P<student_id>\d+)_\d+_)(?P<file>[^/]+)")
_IGNORED = ("__MACOSX", ".DS_Store", ".ipynb_checkpoints", "__pycache__", "timestamp.txt", "submission_secret.txt")


@dataclass
class Collected:
    """What came of a download.

    Attributes
    ----------
    new, replaced, same : list of str
        Students.
    problems : list of str
        Sentences about files that were left out.
    """

    new: list = field(default_factory=list)
    replaced: list = field(default_factory=list)
    same: list = field(default_factory=list)
    problems: list = field(default_factory=list)


@dataclass
class _Handed:
    name: str = ""
    timestamp: str = ""
    files: dict = field(default_factory=dict)  # path -> bytes


def collect_download(course, assignment, source, worksheet=None):
    """Put the submissions in a download where nbgrader looks for them.

    Parameters
    ----------
    course : autograder.classroom.course.Course
    assignment : str
    source : pathlib.Path
        A zip file or a folder.
    worksheet : pathlib.Path, optional
        The grading worksheet of the same assignment, where it comes from Moodle.

    Returns
    -------
    Collected

    Raises
    ------
    CourseError
        Where there is no such file, it is no zip file, or nothing in it can be given to a learner.
    """
    collected, handed, origins = Collected(), {}, {}
    for path, data in _members(Path(source), collected.problems):
        owner = _owner(course, path, assignment)
        if owner is None:
            collected.problems.append(f"{clean(path)}: nothing in its name says whose it is")
            continue
        origin, timestamp, rest = owner
        origin = origins.setdefault((origin.platform, origin.number), origin)
        of = handed.setdefault(origin, _Handed(origin.name, timestamp))
        if len(of.files) < MAX_FILES and sum(map(len, of.files.values())) + len(data) <= MAX_FILE_BYTES:
            of.files[rest] = data
        else:
            collected.problems.append(f"{clean(path)}: more than one learner can hand in; left out")
    if not handed:
        raise CourseError(
            f"no file in {source} can be given to a learner: names as Moodle and Canvas make them are known, folders "
            "called after learners, and c.FileNameCollectorPlugin.named_regexp in nbgrader_config.py"
        )
    handed = assign_owners(course, assignment, handed, worksheet, collected.problems)
    _enrol(course, handed)
    for student, of in sorted(handed.items()):
        folder = course.folder_of("submitted", student, assignment)
        getattr(collected, _put(folder, of, collected.problems)).append(student)
    return collected


def _members(source, problems):
    """Path and content of every file in the download, one by one."""
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            if path.is_file() and not path.is_symlink():
                with path.open("rb") as file:
                    yield from _looked_at(PurePosixPath(path.relative_to(source).as_posix()), file, problems)
    elif zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            yield from _zipped(archive, PurePosixPath(), problems)
    else:
        raise CourseError(f"{source} is {'no zip file and no folder' if source.exists() else 'not there'}")


def _zipped(archive, place, problems):
    for member in archive.infolist():
        if not member.is_dir():
            path = place / member.filename.replace("\\", "/").lstrip("/")
            try:
                with archive.open(member) as file:
                    yield from _looked_at(path, file, problems)
            except (OSError, RuntimeError, zipfile.BadZipFile, NotImplementedError, EOFError) as error:
                problems.append(f"{clean(path)}: cannot be taken out of the zip file ({clean(error)})")


def _looked_at(path, file, problems):
    if any(part in _IGNORED for part in path.parts):
        return
    data = file.read(MAX_FILE_BYTES + 1)  # never more, whatever the zip file says about its size
    if ".." in path.parts or "\0" in str(path):
        problems.append(f"{clean(path)}: leads out of the folder; left out")
    elif len(data) > MAX_FILE_BYTES:
        problems.append(f"{clean(path)}: larger than {MAX_FILE_BYTES >> 20} MB; left out")
    elif path.suffix == ".zip" and not isinstance(file, _Nested) and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as inner:  # a learner zipped the notebooks; zips in it are just files
            for member in inner.infolist()[:MAX_FILES]:
                if not member.is_dir():
                    with inner.open(member) as unzipped:
                        nested = _Nested(unzipped.read(MAX_FILE_BYTES + 1))
                    yield from _looked_at(_beside(path) / member.filename.lstrip("/"), nested, problems)
    else:
        yield path, data


class _Nested(io.BytesIO):
    """A file out of a zip file that a learner made."""


def _beside(path):
    """Where the files of a learner's zip belong: its name may say whose they are."""
    return path.parent if len(path.parts) > 1 and not _CANVAS.fullmatch(path.name) else path.with_suffix("")


def _owner(course, path, assignment):
    """Origin, timestamp and the rest of the path; None where nothing tells."""
    from nbgrader.plugins import FileNameCollectorPlugin  # noqa: PLC0415

    plugin = FileNameCollectorPlugin(config=course.config)
    if plugin.named_regexp:
        match = plugin._match(str(path)) or {}
        found = Origin("", match.get("student_id") or ""), match.get("timestamp") or "", match.get("file_id")
    else:
        parts = [part for part in path.parts if part not in ("submitted", assignment)]
        moodle, canvas = _MOODLE.search("/".join(parts)), _CANVAS.fullmatch("/".join(parts[-1:]))
        if match := moodle or canvas:
            is_late = match is canvas and bool(match["late"])
            platform, prefix = "moodle" if moodle else "canvas", match["prefix"].replace("_LATE_", "_")
            found = Origin(platform, match["student_id"], clean(match["name"]), is_late, prefix), "", match["file"]
        elif len(parts) > 1:
            found = Origin("", parts[0]), "", "/".join(parts[1:])
        else:
            return None
    origin, timestamp, rest = found
    student = origin.number
    if not student or not rest or student.startswith((".", "-")) or not clean(student).isprintable():
        return None
    origin = replace(origin, number=clean(student)[:100])
    return origin, timestamp, rest if PurePosixPath(rest).suffix else f"{rest}{path.suffix}"


def _enrol(course, handed):
    """Give the gradebook the names that the platform wrote, of those it does not know yet."""
    from nbgrader.api import MissingEntry  # noqa: PLC0415

    with course.gradebook() as gradebook:
        for student, of in handed.items():
            try:
                gradebook.find_student(student)
            except MissingEntry:
                first, _, last = of.name.rpartition(" ")
                gradebook.add_student(student, first_name=first or None, last_name=last or None)


def _put(folder, handed, problems):
    """Write a submission; `new`, `replaced` or `same`."""
    from autograder.classroom.incoming.arrivals import was_made  # noqa: PLC0415

    files = dict(handed.files) | ({"timestamp.txt": handed.timestamp.encode()} if handed.timestamp else {})
    if folder.exists():
        here = [path for path in folder.rglob("*") if path.is_file() and not was_made(path)]
        if {path.relative_to(folder).as_posix(): path.read_bytes() for path in here} == files:
            return "same"
    fresh = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    for path, data in files.items():
        try:
            (fresh / path).parent.mkdir(parents=True, exist_ok=True)
            (fresh / path).write_bytes(data)
        except OSError as error:  # a name that is too long, or a file where another one needs a folder
            problems.append(f"{clean(folder.parent.name)}/{clean(path)}: {error.strerror}; left out")
    replaced = folder.exists()
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return "replaced" if replaced else "new"
