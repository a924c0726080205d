"""The teacher's folder: nbgrader's configuration, its gradebook, and the secret that hidden inputs are drawn from."""

import os
import re
import secrets
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

from autograder import curriculum
from autograder.chapter import read_chapter
from autograder.errors import CourseError
from autograder.sandbox import GIVEN

CONFIG, SECRET = "nbgrader_config.py", "secret"

_CONFIG_TEXT = '''\
"""nbgrader's configuration of this course."""

from pathlib import Path

from autograder.classroom.seam import configure

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "attention"
configure(c, course=Path(__file__).parent)

# Settings of your own follow here. They win over the ones above:
# https://nbgrader.readthedocs.io/en/stable/configuration/config_options.html
'''


def new_course(folder):
    """Make a folder a course. What a course has already is kept, its secret above all.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    CourseError
        Where the folder holds something else.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file: name a folder that is new or empty")
    if folder.exists() and any(folder.iterdir()) and not _is_course(folder):
        raise CourseError(f"{folder} is not empty and no course of this kit: name a folder that is new or empty")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_secret(folder / SECRET)
        if not (folder / CONFIG).exists():
            (folder / CONFIG).write_text(_CONFIG_TEXT, encoding="utf-8")
    except OSError as error:
        raise CourseError(f"{error.filename} cannot be written: {error.strerror}") from None
    _create_gradebook(folder)


def build_assignments(folder, log):
    """Write every chapter's source notebook, with what it imports, and let nbgrader make the release of every unit.

    Parameters
    ----------
    folder : Path
        The course.
    log : callable
        Called with a line for each unit.

    Raises
    ------
    CourseError
        Where the folder is no course, or nbgrader refuses.
    """
    from nbformat import write  # noqa: PLC0415  (slow to import, and the command line imports this module)
    from nbgrader.converters import GenerateAssignment  # noqa: PLC0415
    from nbgrader.utils import capture_log  # noqa: PLC0415

    from autograder.classroom.notebooks import source_notebook  # noqa: PLC0415

    folder = Path(folder)
    if not _is_course(folder):
        raise CourseError(f"{folder} is no course: make one with `attn course new {folder}`")
    _create_gradebook(folder)
    for unit, chapters in curriculum.UNITS.items():
        source = folder / "source" / unit
        source.mkdir(parents=True, exist_ok=True)
        for chapter in chapters:
            write(source_notebook(chapter), source / f"{chapter}.ipynb")
        _put_given(chapters, source / GIVEN.name)
        config = _config(folder)
        config.CourseDirectory.assignment_id = unit
        converter = GenerateAssignment(coursedir=_course_directory(config), config=config)
        converter.force = True
        with _commands_on_path():
            result = capture_log(converter)
        if not result["success"]:
            raise CourseError(f"nbgrader could not make the assignment {unit} in {folder}: {_reason(result['log'])}")
        log(f"{unit}: {', '.join(chapters)} -> {folder / 'release' / unit}")


def _put_given(chapters, folder):
    """Put the package of given data beside the notebooks of a unit, where a cell of one of them imports it.

    nbgrader copies it into the release, and over whatever learners hand back.
    """
    shutil.rmtree(folder, ignore_errors=True)
    cells = (cell for chapter in chapters for cell in read_chapter(chapter).cells if cell.kind != "markdown")
    if any(re.search(rf"^\s*(from|import) {GIVEN.name}\b", cell.source, re.MULTILINE) for cell in cells):
        shutil.copytree(GIVEN, folder, ignore=shutil.ignore_patterns("__pycache__", "test*"))


def _reason(log):
    """The first error that nbgrader logged, and what to do about the usual one."""
    errors = [line.removeprefix("[ERROR] ") for line in log.splitlines() if line.startswith("[ERROR] ")]
    told = errors[0] if errors else log.strip() or "it does not say why"
    if "submissions associated" in log:
        told += ". Once answers are graded texts may change, but cells may not: make a new course for a new edition"
    return told


def _is_course(folder):
    try:
        return "autograder.classroom.seam" in (folder / CONFIG).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return False


def _write_secret(path):
    try:
        # Exclusive: a secret that is there stays, or regrades would no longer agree with grades.
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as stream:
        stream.write(secrets.token_hex(32))


def _create_gradebook(folder):
    from nbgrader.api import Gradebook  # noqa: PLC0415

    config = _config(folder)
    with _commands_on_path(), Gradebook(_course_directory(config).db_url, config.CourseDirectory.course_id):
        pass


def _config(folder):
    from traitlets.config import PyFileConfigLoader  # noqa: PLC0415

    return PyFileConfigLoader(CONFIG, path=str(folder.resolve())).load_config()


def _course_directory(config):
    from nbgrader.coursedir import CourseDirectory  # noqa: PLC0415

    return CourseDirectory(config=config)


@contextmanager
def _commands_on_path():
    """Let nbgrader find `alembic`, which it starts by name, where the environment is used without being activated."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before
