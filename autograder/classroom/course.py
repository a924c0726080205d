"""The teacher's folder: nbgrader's configuration, its gradebook, and the secret that hidden inputs are drawn from."""

import os
import re
import secrets
import shutil
from pathlib import Path

from autograder import curriculum
from autograder.chapter import read_chapter
from autograder.classroom.steps import CONFIG, Course, StepFailed
from autograder.errors import CourseError
from autograder.sandbox import GIVEN

SECRET = "secret"

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


def new_course(folder, db=None):
    """Make a folder a course. What a course has already is kept, its secret above all.

    Parameters
    ----------
    folder : Path
    db : str, optional
        Address of the gradebook's database, as SQLAlchemy writes it; a file of SQLite in the folder where none is
        given.

    Raises
    ------
    CourseError
        Where the folder holds something else, or the database cannot be used.
    """
    folder, db = Path(folder), _with_driver(db)
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file: name a folder that is new or empty")
    others = {path.name for path in folder.iterdir()} - {SECRET} if folder.exists() else ()
    if others and not _is_course(folder):
        raise CourseError(f"{folder} is not empty and no course of this kit: name a folder that is new or empty")
    if db and _is_course(folder) and Course(folder).directory().db_url != db:
        raise CourseError(f"{folder} has another gradebook already: its address stands in {folder / CONFIG}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_private(folder / SECRET, secrets.token_hex(32))
        text = _CONFIG_TEXT.format(db=f"c.CourseDirectory.db_url = {db!r}\n" if db else "")
        made = _write_private(folder / CONFIG, text)
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {error.strerror}") from None
    try:
        with Course(folder).gradebook():
            pass
    except CourseError:
        if made:
            (folder / CONFIG).unlink()  # so that the command can be given again with another address
        raise


def find_course(folder=None):
    """The course in a folder; where none is named, the one we stand in, or `course` below it.

    Raises
    ------
    CourseError
        Where there is none.
    """
    if folder is not None:
        if not _is_course(Path(folder)):
            raise CourseError(f"{folder} is no course: make one with `attn course new {folder}`")
        return Course(folder)
    here = Path.cwd()
    found = next(filter(_is_course, (here, *here.parents, here / "course")), None)
    if found is None:
        raise CourseError("there is no course here: name its folder with --course, or make one: attn course new course")
    return Course(Path(os.path.relpath(found)))


def build_assignments(course, log):
    """Write every chapter's source notebook, with what it imports, and let nbgrader make the release of every unit.

    Parameters
    ----------
    course : autograder.classroom.steps.Course
    log : callable
        Called with a line for each unit.

    Raises
    ------
    CourseError
        Where nbgrader refuses.
    """
    from nbformat import write  # noqa: PLC0415  (slow to import, and the command line imports this module)

    from autograder.classroom.notebooks import source_notebook  # noqa: PLC0415

    with course.gradebook():
        pass
    for unit, chapters in curriculum.UNITS.items():
        source = course.folder / "source" / unit
        source.mkdir(parents=True, exist_ok=True)
        for chapter in chapters:
            write(source_notebook(chapter), source / f"{chapter}.ipynb")
        _put_given(chapters, source / GIVEN.name)
        try:
            course.call("generate_assignment", unit)
        except StepFailed as failed:
            told = f"nbgrader could not make the assignment {unit} in {course.folder}: {failed}"
            if "submissions associated" in failed.log:
                told += (
                    ". Once answers are graded texts may change, but cells may not: make a new course for a new edition"
                )
            raise CourseError(told) from None
        log(f"{unit}: {', '.join(chapters)} -> {course.folder / 'release' / unit}")


def _put_given(chapters, folder):
    """Put the package of given data beside the notebooks of a unit, where a cell of one of them imports it.

    nbgrader copies it into the release, and over whatever learners hand back.
    """
    shutil.rmtree(folder, ignore_errors=True)
    cells = (cell for chapter in chapters for cell in read_chapter(chapter).cells if cell.kind != "markdown")
    if any(re.search(rf"^\s*(from|import) {GIVEN.name}\b", cell.source, re.MULTILINE) for cell in cells):
        shutil.copytree(GIVEN, folder, ignore=shutil.ignore_patterns("__pycache__", "test*"))


def _is_course(folder):
    try:
        return "autograder.classroom.seam" in (folder / CONFIG).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return False


def _write_private(path, text):
    """Write a file that only its owner may read, unless it is there; whether it was written."""
    try:
        # Exclusive: a secret that is there stays, or regrades would no longer agree with grades.
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        stream.write(text)
    return True


def _with_driver(db):
    """The address with the driver that the kit brings."""
    return re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", db) if db else db
