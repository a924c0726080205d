"""Creation of a course (folder, configuration, gradebook and secret), and of a teacher's first own chapter."""

import contextlib
import os
import re
import secrets
import shutil
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.files import write_file
from autograder.classroom.course.course import BUILT, CONFIG, SECRET, Course, is_course
from autograder.classroom.course.plan import OWN, PLAN
from autograder.classroom.course.plan_file import make_plan_text, remove_dates

# Matches the lines of a configuration that set the location of the gradebook, the course or the exchange.
_LOCATIONS = re.compile(r"^c\.(?:CourseDirectory\.(?:db_url|root)|Exchange\.root)\s*=.*$", re.MULTILINE)
PRIVATE = 0o600
TEMPLATE = Path(__file__).parent / "templates" / CONFIG
OWN_TEMPLATES = TEMPLATE.with_name("own")


def create_course(folder: Path, last_course: Path | None = None, exchange: Path | None = None) -> None:
    """Create a course in a folder, and keep existing files of a course.

    `last_course`: a course, such as last year's, whose plan, chapters, texts and edits in `source` are copied, without
        grades, learners, due dates and secret.
    `exchange`: the folder of nbgrader's exchange, which is written into the configuration.
    Raises `CourseError` if the folder contains something else, `last_course` is not a course, or writing fails.
    """
    folder = Path(folder)
    _require_empty(folder, exchange)
    if last_course and not is_course(last_course):
        raise CourseError(f"{last_course} is not a course: name the folder of the course to copy")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_if_missing(folder / SECRET, secrets.token_hex(32), PRIVATE)
        text = _copy_config(last_course) if last_course else TEMPLATE.read_text(encoding="utf-8")
        text += f"c.Exchange.root = {str(_make_exchange(exchange))!r}\n" if exchange else ""
        if not is_course(folder):
            # The folder contains names, answers, points and hidden tests, and the machine may have other users.
            folder.chmod(0o700)
            _write_if_missing(folder / PLAN, remove_dates(last_course / PLAN) if last_course else make_plan_text())
            for name in (OWN, BUILT, "source"):
                if last_course and (last_course / name).is_dir():
                    shutil.copytree(last_course / name, folder / name, dirs_exist_ok=True)
        _write_if_missing(folder / CONFIG, text, PRIVATE)
    except OSError as error:
        raise CourseError(f"{error.filename or folder} cannot be read or written: {reason_of(error)}") from None
    with Course(folder).open_gradebook():
        if (file := folder / "gradebook.db").is_file():
            file.chmod(PRIVATE)


def _require_empty(folder: Path, exchange: Path | None) -> None:
    """Raise `CourseError` unless a folder is new, empty, left by a killed run, or, without `exchange`, a course."""
    is_usable = not folder.exists() or (
        folder.is_dir() and {path.name for path in folder.iterdir()} <= {SECRET, PLAN, OWN, BUILT, "source"}
    )
    if not is_usable and not is_course(folder):
        raise CourseError(f"{folder} is neither new or empty nor a course of this kit: name another folder")
    if exchange and is_course(folder):
        raise CourseError(f"{folder} is a course already: write c.Exchange.root = ... into {folder / CONFIG} yourself")


def _make_exchange(folder: Path) -> Path:
    """Return the absolute path of the exchange. If it is missing, create it with write permission for everybody."""
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o1777)
    return folder.resolve()


def _copy_config(last_course: Path) -> str:
    """Return another course's configuration. Lines that locate its data are commented out."""
    text = (last_course / CONFIG).read_text(encoding="utf-8")
    return _LOCATIONS.sub(r"# of last year: \g<0>", text).rstrip() + "\n"


def _write_if_missing(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file unless it exists. With a new secret, for example, a regrade would have different results."""
    with contextlib.suppress(FileExistsError):
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(text)


def write_own_chapter(course: Course, name: str) -> list[Path]:
    """Write a chapter with the exercise `<name>_weights`, its suite and known mistakes into `own`. Return the files."""
    home, exercise = curriculum.ContentFolders.in_folder(course.folder / OWN), f"{name}_weights"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise CourseError(f"{name!r} cannot name a chapter: use small letters, digits and _, as in my_chapter")
    if name in curriculum.CHAPTERS or (curriculum.SUITES / f"test_{exercise}.py").exists():
        raise CourseError(f"{name} is reserved by the kit: give your chapter another name")
    files = {
        home.solutions / f"{name}.py": "chapter.py",
        home.suites / f"test_{exercise}.py": "suite.py",
        home.misconceptions / f"{exercise}.md": "misconceptions.md",
    }
    if existing_files := [path for path in files if path.exists()]:
        raise CourseError(f"{existing_files[0]} already exists: give the chapter another name, or delete it")
    title = name.replace("_", " ").capitalize()
    for path, template in files.items():
        text = (OWN_TEMPLATES / template).read_text(encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.replace("template_weights", exercise).replace("Template", title))
    curriculum.open_home(home)
    read_chapter(name)
    return list(files)
