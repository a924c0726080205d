"""Release and collection through nbgrader's exchange, a folder that teachers and learners can write to.

Therefore, links are not followed, and the owner of a submission must be the learner. Plain nbgrader copies the targets
of links with the teacher's permissions, and stops at the first folder whose name it cannot parse.
"""

import datetime
import os
import pwd
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseAssignment
from nbgrader.utils import ignore_patterns, temp_attrs

from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.files import remove, swap_folder
from autograder.classroom.course.course import Course, open_course
from autograder.classroom.course.plan import Assignment, Plan
from autograder.classroom.course.times import parse_timestamp, read_timestamp
from autograder.classroom.gradebook.calls import run_application
from autograder.classroom.inbox.handed import Upload, open_staging_folder
from autograder.classroom.roster.ids import is_id
from autograder.classroom.roster.people import People
from autograder.classroom.roster.until import find_closing_times

# Limits for one submission, which may include given data.
MAX_FILES, MAX_BYTES = 1000, 512 << 20
PIECE_BYTES = 1 << 20
# nbgrader's data on a submission, from its folder's name. The key "why" has the reason if it is left out, else "".
Record = dict[str, Any]
_LONG_AGO = datetime.datetime(1970, 1, 1)
_PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class AtomicRelease(ExchangeReleaseAssignment):
    """A release to the exchange, refused until the assignment opens. It never leaves an incomplete folder there."""

    def init_src(self) -> None:
        plan = open_course(self.coursedir.root).plan
        if obstacle := find_release_obstacle(plan, plan.get_assignment(self.coursedir.assignment_id)):
            self.fail(obstacle)
        super().init_src()

    def copy_files(self) -> None:
        """Copy the release into a temporary folder, then swap it with the old one."""
        place, new = Path(self.dest_path), Path(self.outbound_path, f".{self.coursedir.assignment_id}.new")
        if self.force or not place.is_dir():
            remove(new)
            self.dest_path = str(new)
        super().copy_files()
        remove(swap_folder(new, place))


class SafeCollect(ExchangeCollect):
    """A collection that skips links and other users' files. If late work is refused, the last on-time work counts."""

    refused: list[str]  # sentences about submissions that were left out

    def init_src(self) -> None:
        self.closing = find_closing_times(open_course(self.coursedir.root), self.coursedir.assignment_id)
        self.refused = []
        self.seen: list[Record] = []
        super().init_src()
        self.src_records = [self._choose_in_time(record) for record in self.src_records if not record["why"]]

    def _choose_in_time(self, record: Record) -> Record:
        """Return the learner's last on-time submission; `record` if there is none or late work is accepted."""
        if self.closing is None:
            return record
        # With this setting, `_collect` replaces even a later submission that was collected before.
        self.before_duedate = True
        student, closing_time = record["username"], self.closing(record["username"])
        records = [each for each in self.seen if each["username"] == student and not each["why"]]
        in_time = [each for each in records if each["timestamp"] <= closing_time]
        return max(in_time, key=lambda each: each["timestamp"], default=record)

    def _path_to_record(self, path: str) -> Record:
        try:
            record = super()._path_to_record(path) | {"why": self._explain_refusal(path)}
        except BaseException as error:  # For some names, nbgrader raises SystemExit.
            if isinstance(error, KeyboardInterrupt):
                raise
            record = {"why": "its name does not have nbgrader's form"}
        if record["why"]:
            self.refused.append(f"{Path(path).name}: {record['why']}; skipped")
            # These keys are needed, because nbgrader sorts records by learner and time.
            record |= {"username": path, "filename": "", "timestamp": _LONG_AGO}
        self.seen.append(record)
        return record

    def _explain_refusal(self, path: str) -> str:
        """Return the reason why a submission is left out, or an empty string."""
        status, name = os.lstat(path), Path(path).name
        learner = name.rsplit("+", 3)[0]
        if not stat.S_ISDIR(status.st_mode):
            return "it is not a folder"
        if not is_id(learner):
            return "its name does not begin with a learner's ID"
        if self.check_owner and status.st_uid != os.getuid() and (owner := _read_user_name(status.st_uid)) != learner:
            return (
                f"it belongs to {owner}; where all learners share one account, set "
                "c.ExchangeCollect.check_owner = False in nbgrader_config.py"
            )
        return ""

    def copy_files(self) -> None:
        """Collect new submissions. Each is copied completely before it replaces an earlier one."""
        with open_staging_folder(Path(self.coursedir.root)) as staging:
            for number, record in enumerate(self.src_records):
                try:
                    self._collect(record, staging / str(number))
                except OSError as error:
                    sentence = f"{error.filename or ''} cannot be read or written: {reason_of(error)}"
                    self.refused.append(f"{record['filename']}: {sentence}; skipped")

    def _collect(self, record: Record, copy: Path) -> None:
        student, assignment = record["username"], self.coursedir.assignment_id
        submitted_folder = self.coursedir.submitted_directory
        target = Path(self.coursedir.format_path(submitted_folder, student, assignment))
        old_time = parse_timestamp(read_timestamp(target))
        has_earlier = target.is_dir() and not target.is_symlink()
        is_newer = self.update and (old_time is None or record["timestamp"] > old_time)
        if has_earlier and not is_newer and not (self.before_duedate and record["timestamp"] != old_time):
            self.log.info("No newer submission to collect: %s %s", student, assignment)
            return
        self.log.info("%s submission: %s %s", "Updating" if has_earlier else "Collecting", student, assignment)
        self.do_copy(os.path.join(self.inbound_path, record["filename"]), copy)
        # Use the time in the folder's name, because a learner can write any time into `timestamp.txt`.
        Upload("", student, time=f"{record['timestamp']} UTC", folder=copy).deliver(target)

    def do_copy(self, src: str, dest: Path, log: object = None) -> None:
        """Copy the plain files of a submission, up to a maximum number and size."""
        is_ignored = ignore_patterns(
            exclude=self.coursedir.ignore,
            include=self.coursedir.include,
            max_file_size=self.coursedir.max_file_size,
            log=self.log,
        )
        submission, files, bytes_left = Path(src).name, 0, MAX_BYTES
        # A file with another owner is a hard link to a file that the learner may not be allowed to read.
        owner = os.lstat(src).st_uid if self.check_owner else None
        os.makedirs(dest)
        for top, folders, names, descriptor in os.fwalk(src, follow_symlinks=False):
            target = Path(dest, os.path.relpath(top, src))
            ignored_names = is_ignored(top, [*folders, *names])
            kinds = {name: os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode for name in folders}
            self.refused += [f"{submission}: {name} is a link; skipped" for name in kinds if stat.S_ISLNK(kinds[name])]
            folders[:] = [name for name in folders if not stat.S_ISLNK(kinds[name]) and name not in ignored_names]
            target.mkdir(exist_ok=True)
            for name in sorted(set(names) - set(ignored_names)):
                size = _copy_file(name, descriptor, target / name, bytes_left, owner) if files < MAX_FILES else None
                files, bytes_left = files + 1, bytes_left - (size or 0)
                if size is None:
                    reason = "is not the learner's file, or exceeds the limits"
                    self.refused.append(f"{submission}: {name} {reason}; skipped")


def _copy_file(name: str, folder: int, target: Path, bytes_left: int, owner: int | None) -> int | None:
    """Copy a plain file from an open folder, if `owner` is None or owns it. Return its size, or None if not copied."""
    try:
        source = os.open(name, _PLAIN, dir_fd=folder)
    except OSError:
        return None
    with open(source, "rb") as file:
        status = os.fstat(source)
        if not stat.S_ISREG(status.st_mode) or owner not in (None, status.st_uid) or status.st_size > bytes_left:
            return None
        size = 0
        with target.open("xb") as copy:
            while size < status.st_size and (piece := file.read(min(PIECE_BYTES, status.st_size - size))):
                size += copy.write(piece)
        os.chmod(target, stat.S_IMODE(status.st_mode) & 0o777 | stat.S_IRUSR | stat.S_IWUSR)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    return size


def _read_user_name(user_id: int) -> str:
    try:
        return pwd.getpwuid(user_id).pw_name
    except KeyError:
        return f"user {user_id}"


def use_exchange(course: Course, folder: Path | None = None) -> None:
    """Set the folder of the exchange; None keeps the configured one. Raises `CourseError` if none is configured."""
    if folder is not None:
        course.config.Exchange.root = str(Path(folder).resolve())
    elif not course.has_exchange:
        advice = "or set c.Exchange.root; without one, hand out release/ yourself and collect with --from"
        raise CourseError(f"no exchange is configured: name its folder with --exchange, {advice}")


def release(
    course: Course, assignments: Iterable[str], is_named: bool = True, log: Callable[[str], object] = print
) -> list[str]:
    """Release assignments to the exchange, and return their names. Raises `CourseError` if a named one must wait."""
    course.config.ExchangeReleaseAssignment.force = True
    to_release = {name: course.plan.get_assignment(name) for name in assignments}
    for name, assignment in [*to_release.items()]:
        obstacle = find_release_obstacle(course.plan, assignment)
        if not obstacle and assignment.exam and not is_named:
            obstacle = f"{name} is an exam, so it is released only by name: attn course release {name}"
        if obstacle and is_named:
            raise CourseError(obstacle)
        if obstacle:
            log(obstacle)
            del to_release[name]
    for name in to_release:
        run_exchange(course, "ReleaseAssignment", name)
    return list(to_release)


def run_exchange(course: Course, step_name: str, assignment: str, **settings: str) -> Any:
    api = course.api
    with temp_attrs(api.coursedir, assignment_id=assignment, **settings):
        step = getattr(api.exchange, step_name)(coursedir=api.coursedir, authenticator=api.authenticator, parent=api)
        if step_name == "Collect":
            step.update = True
        run_application(step)
    return step


def find_release_obstacle(plan: Plan, assignment: Assignment) -> str:
    """Return the reason why an assignment must not be released yet, or an empty string."""
    if assignment.exam and assignment.opens is None:
        return f"{assignment.name} is an exam without `opens`, so it is not released: set `opens` in course.toml"
    if assignment.opens and not assignment.is_open:
        start = plan.format_time(assignment.opens)
        return f"{assignment.name} opens on {start}, so it is not released yet: release it then, or change `opens`"
    return ""


def collect(course: Course, assignments: Iterable[str]) -> tuple[dict[str, tuple[int, int, int]], list[str]]:
    """Collect submissions. Return assignment -> (number of new, of replaced, of all submissions), and warnings."""
    counts, refused_ids, people = dict[str, tuple[int, int, int]](), list[str](), People(course)
    roster_ids = {person.id for person in people.roster}
    for name in assignments:
        old_times = _read_timestamps(course, name)
        collector = run_exchange(course, "Collect", name)
        refused_ids += getattr(collector, "refused", [])
        new_times = _read_timestamps(course, name)
        replaced = [student for student in old_times if new_times.get(student) != old_times[student]]
        strangers = sorted(new_times.keys() - old_times - roster_ids) if people.has_roster else []
        refused_ids += [f"{id_} is not in the roster: if the learner is, correct the id there" for id_ in strangers]
        counts[name] = len(new_times.keys() - old_times), len(replaced), len(new_times)
    return counts, refused_ids


def _read_timestamps(course: Course, assignment: str) -> dict[str, str]:
    """Return learner -> text of the timestamp, for all learners who submitted the assignment."""
    folders = {name: course.folder_of("submitted", name, assignment) for name in course.list_students(assignment)}
    return {name: read_timestamp(folder) for name, folder in folders.items()}
