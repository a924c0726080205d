"""The teacher's folder: its plan, nbgrader's configuration and gradebook, and the folders of submissions."""

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
from autograder.chapters.files import file_version, write_whole
from autograder.classroom.course.deadlines import Ends, read_extensions
from autograder.classroom.course.plan import OWN, PLAN, Plan
from autograder.classroom.course.plan_file import read_plan, set_key
from autograder.classroom.course.times import naive_utc
from autograder.classroom.gradebook import queries

if TYPE_CHECKING:
    from traitlets.config import Config

    from autograder.classroom.gradebook.calls import CourseDirectory, Gradebook, NbGraderAPI


CONFIG = "nbgrader_config.py"
SECRET = "secret"  # the seed of hidden inputs
BUILT = ".built"  # the notebooks of the last build
SETTINGS = ".settings.json"  # what the configuration said when its files were read last


class Course:
    """A course's folder with nbgrader's configuration, which is read only if nbgrader is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        # ids of the learners that a command is about, None for all; ids of those who have left
        self.only: Collection[str] | None = None
        self.gone: Collection[str] = frozenset()
        self.regroups = False  # whether today's groups also count for work that has been graded
        open_own(self.folder)

    @functools.cached_property
    def config(self) -> Config:
        """Return nbgrader's configuration: the machine's, then the course's. Raises `CourseError` if it is broken."""
        config = machine_config()
        config.merge(_config_in(self.folder.resolve()))
        return config

    @functools.cached_property
    def settings(self) -> dict[str, Any]:
        """Return what the kit reads in the configuration, without running that again: it may import nbgrader."""
        path = self.folder / SETTINGS
        places = [self.folder.resolve(), *_machine_places()]
        files = json.loads(json.dumps([(str(place), file_version(place / CONFIG)) for place in places]))
        with suppress(OSError, ValueError, KeyError, TypeError):
            remembered = json.loads(path.read_text(encoding="utf-8"))
            if remembered["files"] == files:
                return remembered["settings"]
        settings = _calls().settings_of(self.directory(), self.config)
        with suppress(OSError):
            write_whole(path, json.dumps({"files": files, "settings": settings}) + "\n", 0o600)
        return settings

    @functools.cached_property
    def plan(self) -> Plan:
        return read_plan(self.folder)

    def secret_of(self, assignment: str, student: str = "") -> bytes:
        """Return the seed of hidden inputs; an exam has another, because learners have read the others on pages."""
        path = self.folder / SECRET
        try:
            secret = path.read_bytes()
        except OSError as error:
            raise CourseError(
                f"{path} cannot be read ({reason_of(error)}): restore it from a backup, or draw a new one with "
                f"`attn course new {self.folder}` and grade everybody again"
            ) from None
        planned = self.plan.assignment(assignment)
        secret = derived(secret, f"exam {assignment}") if planned.exam else secret
        return derived(secret, f"learner {student}") if planned.own_inputs and student else secret

    def set_key(self, assignment: str, key: str, value: object) -> None:
        self.plan = set_key(self.folder, assignment, key, value)

    @functools.cached_property
    def api(self) -> NbGraderAPI:
        return _calls().api(self.directory(), self.config)

    def directory(self) -> CourseDirectory:
        return _calls().CourseDirectory(config=self.config)

    def gradebook(self) -> AbstractContextManager[Gradebook]:
        return _calls().gradebook(self.directory())

    def read(self, sql: str, **values: Any) -> list[Any]:
        """Ask the gradebook in SQL, as in `gradebook/queries.py`: nbgrader is only needed where it is no file."""
        url = self.settings["db_url"]
        path = url.removeprefix(queries.SQLITE)
        if path != url and os.path.exists(path):
            return queries.read_file(path, sql, values)
        with self.gradebook() as gradebook:  # another database, or a new file
            return _calls().reader_of(gradebook)(sql, **values)

    @property
    def has_exchange(self) -> bool:
        return self.settings["is_hub"] or Path(self.settings["exchange"]).is_dir()

    def folder_of(self, step: str, student: str, assignment: str) -> Path:
        return self.folder / step / student / assignment

    def assignments(self, named: Iterable[str] = ()) -> list[str]:
        """Return the built assignments, or the named ones. Raises `CourseError` if one is unknown, or none is built."""
        names = {*queries.due_dates(self.read)}
        built = [name for name in self.plan.assignments if name in names]
        built += sorted(names - {*built})  # nbgrader's own
        if not built:
            raise CourseError(f"{self.folder} has no assignments yet: run `attn course build --course {self.folder}`")
        if unknown := next((name for name in named if name not in built), None):
            raise CourseError(f"{unknown} is not an assignment of this course: it has {', '.join(built)}")
        return list(dict.fromkeys(named)) or built

    def students(self, assignment: str, step: str = "submitted") -> list[str]:
        """Return the learners in this section who have a folder of this assignment."""
        return sorted(filter(self.is_included, self.holders(step, assignment)))

    def holders(self, step: str, assignment: str) -> set[str]:
        """Return the learners in all sections who have one; those removed from the gradebook only have `submitted`."""
        students = {path.parent.name for path in (self.folder / step).glob(f"*/{assignment}") if path.is_dir()}
        if step != "submitted":
            students &= queries.extensions(self.read, assignment).keys()
        return students

    def is_included(self, student: str) -> bool:
        """Return whether a command is about this learner: in the named section, and still in the course."""
        return student not in self.gone and (self.only is None or student in self.only)

    def due(self, assignment: str) -> datetime | None:
        """Return when an assignment is due, from the plan, or else from nbgrader's gradebook."""
        if planned := self.plan.assignment(assignment).due:
            return self.plan.local(planned)
        due = queries.due_dates(self.read).get(assignment)
        return due and self.plan.local(due.replace(tzinfo=timezone.utc))

    def extensions(self) -> Ends:
        return read_extensions(self.folder, self.due)

    def ends(self, assignment: str) -> dict[str, datetime | None]:
        """Return student -> until when somebody has longer; None where that was taken back."""
        ends = self.extensions()
        return {student: end and self.plan.local(end) for (name, student), end in ends.items() if name == assignment}

    def write_due_dates(self) -> None:
        planned = {name: (self.plan.assignment(name).due, was) for name, was in queries.due_dates(self.read).items()}
        changed = {name: naive_utc(due) for name, (due, was) in planned.items() if due and naive_utc(due) != was}
        if changed:
            with self.gradebook() as gradebook:
                for name, due in changed.items():
                    assignment: Any = gradebook.find_assignment(name)
                    assignment.duedate = due
                gradebook.db.commit()


def _calls() -> Any:
    from autograder.classroom.gradebook import calls  # noqa: PLC0415  (imports nbgrader)

    return calls


def machine_config() -> Config:
    """Return nbgrader's configuration of this machine, such as a hub's. Raises `CourseError` if it is broken."""
    from traitlets.config import Config  # noqa: PLC0415

    config = Config()
    for place in _machine_places():
        if (place / CONFIG).is_file():
            config.merge(_config_in(place))
    return config


def _machine_places() -> list[Path]:
    from jupyter_core.paths import jupyter_config_path  # noqa: PLC0415

    return [*map(Path, reversed(jupyter_config_path()))]


def _config_in(place: Path) -> Config:
    from traitlets.config import PyFileConfigLoader  # noqa: PLC0415

    try:
        return PyFileConfigLoader(CONFIG, path=str(place)).load_config()
    except Exception as error:  # it is a program, and may raise anything
        raise CourseError(f"{place / CONFIG} cannot be read: {type(error).__name__}: {error}") from None


def open_own(folder: Path) -> None:
    chapters_folder = Path(folder).resolve() / OWN
    curriculum.open_home(curriculum.Home.in_folder(chapters_folder) if chapters_folder.is_dir() else None)


def course_in(folder: Path) -> Course:
    """Return the course in a folder, read again if its plan or configuration changed: Formgrader runs for days."""
    folder = Path(folder).resolve()
    return _course_in(folder, *(file_version(folder / name) for name in (PLAN, CONFIG)))


@functools.lru_cache(maxsize=1)
def _course_in(folder: Path, *_: object) -> Course:
    return Course(folder)


def find_course(folder: Path | None = None) -> Course:
    """Return the course in a folder; by default the one around the current folder, or `course` below it."""
    if folder is not None:
        if not is_course(Path(folder)):
            raise CourseError(f"{folder} is not a course: create one with `attn course new {folder}`")
        return Course(folder)
    here = Path.cwd()
    around = _courses_around(here)
    # The configuration of a course is a program, and a submission may contain one.
    handed_in = [around[-1] / step for step in ("submitted", "autograded", "feedback")] if around else []
    if inner := [each for each in around[:-1] if not any(map(each.is_relative_to, handed_in))]:
        raise CourseError(f"{inner[0]} is a course inside the course {around[-1]}: name one of them with --course")
    course_folder = next(iter(around[-1:] or filter(is_course, [here / "course"])), None)
    if course_folder is None:
        raise CourseError("there is no course here: name its folder with --course, or make one: attn course new course")
    return Course(Path(os.path.relpath(course_folder)))


def beside(course: Course, folder: Path) -> Course:
    """Return another course to read from, but keep the chapters of the first one open."""
    other = find_course(folder)
    open_own(course.folder)
    return other


def _courses_around(folder: Path) -> list[Path]:
    return [each for each in (folder, *folder.parents) if is_course(each)]


def is_own_course(folder: Path) -> bool:
    """Return whether a folder is a course that is not inside another one, where it may be a submission."""
    return _courses_around(folder.resolve()) == [folder.resolve()]


def is_course(folder: Path) -> bool:
    try:
        return "autograder.classroom.seam" in (folder / CONFIG).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return False


def derived(secret: bytes, purpose: str) -> bytes:
    """Return a secret derived from another one, so that a leak does not reveal that."""
    return hmac.new(secret, purpose.encode(), hashlib.sha256).hexdigest().encode()


def name_of(secret: bytes) -> str:
    """Return eight letters that identify a secret and reveal nothing else."""
    return hmac.new(secret, b"its name", hashlib.sha256).hexdigest()[:8]
