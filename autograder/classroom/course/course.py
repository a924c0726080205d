"""The teacher's folder: nbgrader's configuration, its gradebook, and the secret that hidden inputs are drawn from."""

import functools
import os
import re
import secrets
import shutil
import stat
from datetime import timezone
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError, why
from autograder.chapters.extras import require
from autograder.classroom.course.plan import OWN, PLAN
from autograder.classroom.course.plan_file import read_plan, set_key
from autograder.classroom.course.plan_text import whole_text
from autograder.classroom.course.secret import SECRET, secret_of
from autograder.classroom.gradebook import calls

CONFIG = "nbgrader_config.py"

_CONFIG_TEXT = '''\
"""nbgrader's configuration of this course."""

from pathlib import Path

from autograder.classroom.seam import configure

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "attention"
configure(c, course=Path(__file__).parent)
{db}
# Settings of your own follow here. They win over the ones above:
# https://nbgrader.readthedocs.io/en/stable/configuration/config_options.html
'''


class Course:
    """A course's folder and nbgrader's configuration of it.

    `CourseError` where its configuration cannot be read.
    """

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        self.config = _read_config(self.folder)
        self.only, self.gone = None, frozenset()  # ids of whom a command is about, None for all; of who has left

    @functools.cached_property
    def plan(self):
        """What `course.toml` says."""
        return read_plan(self.folder)

    @functools.cached_property
    def api(self):
        """nbgrader's API on this course."""
        return calls.api(self.directory(), self.config)

    def secret_of(self, assignment: str) -> bytes:
        """What the hidden inputs of an assignment are drawn from."""
        return secret_of(self.folder, self.plan.assignment(assignment))

    def set_key(self, assignment: str, key: str, value: str) -> None:
        """Write a key of an assignment into `course.toml`."""
        self.plan = set_key(self.folder, assignment, key, value)

    def carries_forward(self, assignment):
        """Whether a mistake in one exercise leaves the points of those that call it."""
        return self.plan.assignment(assignment).carry_forward

    def directory(self):
        """nbgrader's CourseDirectory."""
        return calls.directory(self.config)

    def gradebook(self):
        """nbgrader's Gradebook, open; made where there is none yet."""
        return calls.gradebook(self.directory())

    def folder_of(self, step, student, assignment):
        """Where nbgrader keeps what a step makes: `submitted`, `autograded`, `feedback`, `release` or `source`."""
        return self.folder / step / student / assignment

    def assignments(self, named=()):
        """The names of the assignments that were built, or of those named.

        `CourseError` where one is unknown, or none has been built.
        """
        with self.gradebook() as gradebook:
            built = sorted(assignment.name for assignment in gradebook.assignments)
        if not built:
            raise CourseError(f"{self.folder} has no assignments yet: run `attn course build --course {self.folder}`")
        if unknown := next((name for name in named if name not in built), None):
            raise CourseError(f"{unknown} is no assignment of this course: it has {', '.join(built)}")
        return list(dict.fromkeys(named)) or built

    def students(self, assignment, step="submitted"):
        """Who has a folder of this assignment there, of the section at hand.

        Whom a teacher has taken out of the gradebook has nothing but what they handed in.
        """
        found = {path.parent.name for path in (self.folder / step).glob(f"*/{assignment}") if path.is_dir()}
        if step != "submitted":
            with self.gradebook() as gradebook:
                found &= {each.student_id for each in gradebook.find_assignment(assignment).submissions}
        return sorted(student for student in found if self.is_included(student))

    def is_included(self, student):
        """Whether a command is about this learner: in the section that was named, and still in the course."""
        return student not in self.gone and (self.only is None or student in self.only)

    def due(self, assignment):
        """When an assignment is due, in UTC; None where it has no due date."""
        with self.gradebook() as gradebook:
            due = gradebook.find_assignment(assignment).duedate
        return due and due.replace(tzinfo=timezone.utc)

    def call(self, step, *arguments, **options) -> str:
        """Call a method of nbgrader's API.

        Gives what it logged.
        `StepFailed` with nbgrader's reason.
        """
        with calls.calling_nbgrader():
            return calls.succeeded(getattr(self.api, step)(*arguments, **options))


def _read_config(folder):
    """What nbgrader would read: the machine's configuration, then the course's own."""
    from jupyter_core.paths import jupyter_config_path  # noqa: PLC0415
    from traitlets.config import Config, PyFileConfigLoader  # noqa: PLC0415

    config = Config()
    for place in [*map(Path, reversed(jupyter_config_path())), folder.resolve()]:
        if (place / CONFIG).is_file():
            try:
                config.merge(PyFileConfigLoader(CONFIG, path=str(place)).load_config())
            except Exception as error:  # it is a program, and may raise anything
                raise CourseError(f"{place / CONFIG} cannot be read: {type(error).__name__}: {error}") from None
    return config


def open_own(folder):
    """Make the chapters of a course's own known, and no other course's: its configuration does."""
    own = Path(folder).resolve() / OWN
    curriculum.open_home(curriculum.Home.own(own) if own.is_dir() else None)


def course_in(folder):
    """The course in a folder, read once: for processes that are handed one piece of work after the other.

    Where its plan or its configuration is changed, it is read again: Formgrader runs for days.
    """
    folder = Path(folder).resolve()
    return _course_in(folder, *(_changed(folder / name) for name in (PLAN, CONFIG)))


@functools.lru_cache(maxsize=1)
def _course_in(folder, *_):
    return Course(folder)


def _changed(path):
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def new_course(folder: Path, db: str | None = None, last: Path | None = None, exchange: Path | None = None) -> None:
    """Make a folder a course. What a course has already is kept, its secret above all.

    `last`: a course, such as last year's, whose choices, chapters and texts this one begins with: no grade, no learner,
        no due date, and a secret of its own.
    `exchange`: the folder of nbgrader's exchange, which stands in the configuration then.
    `db`: address of the gradebook's database, as SQLAlchemy writes it; a file of SQLite in the folder where none is
        given.
    `CourseError` where the folder holds something else, or the database cannot be used.
    """
    folder, db = Path(folder), _with_driver(db)
    _require_room(folder, db, exchange)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_private(folder / SECRET, secrets.token_hex(32))
        text = _CONFIG_TEXT.format(db=f"c.CourseDirectory.db_url = {db!r}\n" if db else "")
        text += f"c.Exchange.root = {str(_exchange(exchange))!r}\n" if exchange else ""
        if not _is_course(folder):  # one that was made before there were plans has no need of one
            folder.chmod(0o700)  # names, answers, points, hidden tests: on a shared machine others could read them
            _write_new(folder / PLAN, _text_of_last(last) if last else whole_text())
            if last and (Path(last) / OWN).is_dir():
                shutil.copytree(Path(last) / OWN, folder / OWN, dirs_exist_ok=True, ignore=_no_files)
        made = _write_private(folder / CONFIG, text)
    except OSError as error:
        raise CourseError(f"{error.filename or folder} cannot be written: {why(error)}") from None
    try:
        with Course(folder).gradebook():
            keep_private(folder / "gradebook.db")  # the file of SQLite, where that is what it is
    except CourseError:
        if made:
            (folder / CONFIG).unlink()  # so that the command can be given again with another address
        raise


def _require_room(folder, db, exchange):
    """Raise where a folder cannot become a course with these settings."""
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file: name a folder that is new or empty")
    ours = {SECRET, PLAN, OWN}  # all that is left where the database could not be used
    others = {path.name for path in folder.iterdir()} - ours if folder.exists() else ()
    if others and not _is_course(folder):
        raise CourseError(f"{folder} is not empty and no course of this kit: name a folder that is new or empty")
    if db and _is_course(folder) and Course(folder).directory().db_url != db:
        raise CourseError(f"{folder} has another gradebook already: its address stands in {folder / CONFIG}")
    if exchange and _is_course(folder):
        raise CourseError(f"{folder} is a course already: write c.Exchange.root = ... into {folder / CONFIG} yourself")


def _exchange(folder):
    """The whole path of an exchange; where it is new, everybody may write there, as nbgrader asks for.

    Nobody but its owner may rename or remove what is in it.
    """
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o1777)
    return folder.resolve()


def _no_files(folder: str, names: list[str]) -> list[str]:
    """What is no file and no folder of a course: a link leads out of it, and a pipe would be waited for."""
    kinds = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}
    return [name for name, mode in kinds.items() if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))]


def _text_of_last(last):
    """Last year's plan; its dates are over, and no page of its exams has gone back."""
    if not _is_course(Path(last)):
        raise CourseError(f"{last} is no course: name the folder of the one to begin with")
    path = Path(last) / PLAN
    text = path.read_text(encoding="utf-8") if path.exists() else whole_text()
    return re.sub(r"(?m)^(\s*)(due|opens|feedback)\s*=", r"\1# \2 =", text)


def find_course(folder=None):
    """The course in a folder; where none is named, the one we stand in, or `course` below it.

    `CourseError` where there is none.
    """
    if folder is not None:
        if not _is_course(Path(folder)):
            raise CourseError(f"{folder} is no course: make one with `attn course new {folder}`")
        return Course(folder)
    here = Path.cwd()
    courses = [folder for folder in (here, *here.parents) if _is_course(folder)]
    # The configuration of a course is a program, and one may lie among what somebody handed in to another course.
    own = [folder for folder in courses if not any(_is_handed_in(folder, other) for other in courses)]
    found = next(iter(own or filter(_is_course, [here / "course"])), None)
    if found is None:
        raise CourseError("there is no course here: name its folder with --course, or make one: attn course new course")
    return Course(Path(os.path.relpath(found)))


def _is_handed_in(folder, course):
    """Whether a folder lies where a course keeps what learners hand in, or what nbgrader makes of it."""
    return any(folder.is_relative_to(course / step) for step in ("submitted", "autograded", "feedback"))


def _is_course(folder):
    try:
        return "autograder.classroom.seam" in (folder / CONFIG).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return False


def _write_private(path, text):
    """Write a file that only its owner may read, unless it is there; whether it was written."""
    return _write_new(path, text, 0o600)


def _write_new(path, text, mode=0o644):
    """Write a file unless it is there; whether it was written."""
    try:
        # Exclusive: a secret that is there stays, or regrades would no longer agree with grades.
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    except FileExistsError:
        return False
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        stream.write(text)
    return True


def keep_private(*paths):
    """Let nobody but its owner read a file with names or grades; on a shared machine others could."""
    for path in paths:
        if path is not None and path.is_file():
            path.chmod(0o600)


def _with_driver(db):
    """The address with the driver that the kit brings."""
    if re.match("postgres", db or ""):
        require("postgresql", "A gradebook in PostgreSQL")
    return re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", db) if db else db
