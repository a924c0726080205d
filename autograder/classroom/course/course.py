"""The folder of a course: its plan, nbgrader's configuration and gradebook, and the folders of submissions."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import os
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.files import read_file_version, write_file
from autograder.classroom.course.deadlines import Extensions, read_extensions
from autograder.classroom.course.plan import OWN, PLAN, Plan
from autograder.classroom.course.plan_file import read_plan, set_key
from autograder.classroom.course.times import to_naive_utc
from autograder.classroom.gradebook import queries

if TYPE_CHECKING:
    from traitlets.config import Config

    from autograder.classroom.gradebook.calls import CourseDirectory, Gradebook, NbGraderAPI


CONFIG = "nbgrader_config.py"
# Names in the course's folder: the seed of the hidden inputs, the notebooks of the last build, and the cached settings
# of nbgrader.
SECRET, BUILT, SETTINGS = "secret", ".built", ".settings.json"


class Course:
    """The folder of a course, and the learners that a command is limited to. nbgrader is imported only if needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        # The ids of the students that the command is limited to; None for all.
        self.selected_students: Collection[str] | None = None
        self.former_students: Collection[str] = frozenset()
        # Whether the current groups also apply to work that was graded with earlier groups.
        self.regroups = False
        open_own_chapters(self.folder)

    @functools.cached_property
    def config(self) -> Config:
        """Return nbgrader's configuration: the machine's, then the course's. Raises `CourseError` if one is invalid."""
        config = read_machine_config()
        config.merge(_run_config(self.folder.resolve()))
        return config

    @functools.cached_property
    def settings(self) -> dict[str, Any]:
        """Return nbgrader's settings (name -> value), from a cache as long as the configuration files are unchanged."""
        path = self.folder / SETTINGS
        places = [self.folder.resolve(), *_list_machine_folders()]
        files = json.loads(json.dumps([(str(place), read_file_version(place / CONFIG)) for place in places]))
        with suppress(OSError, ValueError, KeyError, TypeError):
            remembered = json.loads(path.read_text(encoding="utf-8"))
            if remembered["files"] == files:
                return remembered["settings"]
        settings = _import_calls().read_settings(self.make_directory(), self.config)
        with suppress(OSError):
            write_file(path, json.dumps({"files": files, "settings": settings}) + "\n", 0o600)
        return settings

    @functools.cached_property
    def plan(self) -> Plan:
        return read_plan(self.folder)

    def derive_assignment_secret(self, assignment: str, student: str = "") -> bytes:
        """Return the seed of an assignment's hidden inputs, which is the student's own if the plan has `own_inputs`."""
        path = self.folder / SECRET
        try:
            secret = path.read_bytes()
        except OSError as error:
            raise CourseError(
                f"{path} cannot be read ({reason_of(error)}): restore it from a backup, or run `attn course new "
                f"{self.folder}` and grade everybody again"
            ) from None
        entry = self.plan.get_assignment(assignment)
        # Exams have a separate seed, because feedback pages show inputs that are drawn from the course's seed.
        secret = derive_secret(secret, f"exam {assignment}") if entry.exam else secret
        return derive_secret(secret, f"learner {student}") if entry.own_inputs and student else secret

    def set_key(self, assignment: str, key: str, value: object) -> None:
        self.plan = set_key(self.folder, assignment, key, value)

    @functools.cached_property
    def api(self) -> NbGraderAPI:
        with _import_calls().suppress_warnings():
            return _import_calls().NbGraderAPI(self.make_directory(), config=self.config)

    def make_directory(self) -> CourseDirectory:
        return _import_calls().CourseDirectory(config=self.config)

    def open_gradebook(self) -> AbstractContextManager[Gradebook]:
        return _import_calls().open_gradebook(self.make_directory())

    @property
    def query(self) -> queries.Query:
        """Return a function that queries the gradebook. A SQLite file is read without importing nbgrader."""
        url = self.settings["db_url"]
        path = url.removeprefix(queries.SQLITE)
        if path != url and os.path.exists(path):
            return functools.partial(queries.query_file, path)
        return functools.partial(_import_calls().query_gradebook, self.make_directory())

    @property
    def has_exchange(self) -> bool:
        return self.settings["is_hub"] or Path(self.settings["exchange"]).is_dir()

    def folder_of(self, step: str, student: str, assignment: str) -> Path:
        return self.folder / step / student / assignment

    def select_assignments(self, names_asked: Iterable[str] = ()) -> list[str]:
        """Return the named assignments, or all built ones. Raises `CourseError` if one is unknown or none is built."""
        names = {*queries.read_due_dates(self.query)}
        assignments = [name for name in self.plan.assignments if name in names]
        # A teacher may have added assignments with nbgrader itself.
        assignments += sorted(names - {*assignments})
        if not assignments:
            raise CourseError(f"{self.folder} has no assignments yet: run `attn course build --course {self.folder}`")
        if unknown := next((name for name in names_asked if name not in assignments), None):
            raise CourseError(f"{unknown} is not an assignment of this course: it has {', '.join(assignments)}")
        return list(dict.fromkeys(names_asked)) or assignments

    def list_students(self, assignment: str, step: str = "submitted") -> list[str]:
        """Return the learners whom the command includes and who have this assignment in the subfolder `step`."""
        return sorted(filter(self.is_included, self.find_students_with_folder(step, assignment)))

    def find_students_with_folder(self, step: str, assignment: str) -> set[str]:
        students = {path.parent.name for path in (self.folder / step).glob(f"*/{assignment}") if path.is_dir()}
        # Outside of `submitted`, ignore learners who were removed from the gradebook.
        if step != "submitted":
            students &= queries.read_submission_extensions(self.query, assignment).keys()
        return students

    def is_included(self, student: str) -> bool:
        """Return whether the command is about this learner. Learners who have left the course are never included."""
        selection = self.selected_students
        return student not in self.former_students and (selection is None or student in selection)

    def find_due_date(self, assignment: str) -> datetime | None:
        """Return an assignment's due date from the plan, else from nbgrader's gradebook, or None if it has none."""
        if due_date := self.plan.get_assignment(assignment).due:
            return self.plan.to_course_zone(due_date)
        due = queries.read_due_dates(self.query).get(assignment)
        return due and self.plan.to_course_zone(due.replace(tzinfo=timezone.utc))

    def read_extensions(self) -> Extensions:
        """Return (assignment, student) -> end of the extension, or None if the extension was withdrawn."""
        extensions = read_extensions(self.folder, self.find_due_date)
        return {key: end and self.plan.to_course_zone(end) for key, end in extensions.items()}

    def write_due_dates(self) -> None:
        dates_before = queries.read_due_dates(self.query)
        dates = {name: due for name in dates_before if (due := self.plan.get_assignment(name).due)}
        new_dates = {name: to_naive_utc(due) for name, due in dates.items() if to_naive_utc(due) != dates_before[name]}
        if new_dates:
            with self.open_gradebook() as gradebook:
                for name, due in new_dates.items():
                    assignment: Any = gradebook.find_assignment(name)
                    assignment.duedate = due
                gradebook.db.commit()


def _import_calls() -> Any:
    from autograder.classroom.gradebook import calls  # noqa: PLC0415  (imports nbgrader)

    return calls


def read_machine_config() -> Config:
    """Return nbgrader's configuration for this machine. Raises `CourseError` if one of its files fails."""
    from traitlets.config import Config  # noqa: PLC0415

    config = Config()
    for folder in _list_machine_folders():
        if (folder / CONFIG).is_file():
            config.merge(_run_config(folder))
    return config


def _list_machine_folders() -> list[Path]:
    """Return the folders in which Jupyter looks for configuration, in ascending priority."""
    from jupyter_core.paths import jupyter_config_path  # noqa: PLC0415

    return [*map(Path, reversed(jupyter_config_path()))]


def _run_config(folder: Path) -> Config:
    """Return the settings of a folder's configuration file, a Python program. Raises `CourseError` if it fails."""
    from traitlets.config import PyFileConfigLoader  # noqa: PLC0415

    try:
        return PyFileConfigLoader(CONFIG, path=str(folder)).load_config()
    except Exception as error:
        raise CourseError(f"{folder / CONFIG} cannot be read: {type(error).__name__}: {error}") from None


def open_own_chapters(folder: Path) -> None:
    """Add the chapters in a course's folder `own` to the kit's, and remove those of any other course."""
    chapters_folder = Path(folder).resolve() / OWN
    curriculum.open_home(curriculum.ContentFolders.in_folder(chapters_folder) if chapters_folder.is_dir() else None)


def open_course(folder: Path) -> Course:
    """Return a folder's course, cached until its plan or configuration changes, because Formgrader runs for days."""
    folder = Path(folder).resolve()
    return _open_course(folder, *(read_file_version(folder / name) for name in (PLAN, CONFIG)))


@functools.lru_cache(maxsize=1)
def _open_course(folder: Path, *_: object) -> Course:
    return Course(folder)


def find_course(folder: Path | None = None) -> Course:
    """Return the course in `folder`. By default, search the current folder, its parents and its folder `course`."""
    if folder is not None:
        if not is_course(Path(folder)):
            raise CourseError(f"{folder} is not a course: create one with `attn course new {folder}`")
        return Course(folder)
    current_folder = Path.cwd()
    courses = _find_enclosing_courses(current_folder) or [*filter(is_course, [current_folder / "course"])]
    if not courses:
        raise CourseError("there is no course here: name its folder with --course, or make one: attn course new course")
    *inner_courses, outermost = courses
    # The configuration of a course is a program, so a course inside a submission must not be opened.
    submissions = [outermost / step for step in ("submitted", "autograded", "feedback")]
    if nested := [each for each in inner_courses if not any(map(each.is_relative_to, submissions))]:
        raise CourseError(f"{nested[0]} is a course inside the course {outermost}: name one of them with --course")
    return Course(Path(os.path.relpath(outermost)))


def _find_enclosing_courses(folder: Path) -> list[Path]:
    return [parent for parent in (folder, *folder.parents) if is_course(parent)]


def is_own_course(folder: Path) -> bool:
    """Return whether a folder is a course outside of other courses. Inside one, it could be a learner's submission."""
    return _find_enclosing_courses(folder.resolve()) == [folder.resolve()]


def is_course(folder: Path) -> bool:
    try:
        return "autograder.classroom.seam" in (folder / CONFIG).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return False


def derive_secret(secret: bytes, purpose: str) -> bytes:
    """Return a secret for a purpose, derived from another secret, which cannot be computed from the result."""
    return hmac.new(secret, purpose.encode(), hashlib.sha256).hexdigest().encode()


def label_secret(secret: bytes) -> str:
    """Return eight hexadecimal digits that identify a secret without revealing it."""
    return hmac.new(secret, b"its name", hashlib.sha256).hexdigest()[:8]
