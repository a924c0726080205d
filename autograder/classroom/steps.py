"""nbgrader's own steps on one course, called in this process: its API, gradebook and configuration."""

import functools
import os
import re
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

from autograder.errors import CourseError

CONFIG = "nbgrader_config.py"


class Course:
    """A course's folder and nbgrader's configuration of it.

    Parameters
    ----------
    folder : pathlib.Path

    Raises
    ------
    CourseError
        Where its configuration cannot be read.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.config = _read_config(self.folder)

    @functools.cached_property
    def api(self):
        """nbgrader's API on this course."""
        from nbgrader.apps import NbGraderAPI  # noqa: PLC0415

        with calling_nbgrader():
            return NbGraderAPI(self.directory(), config=self.config)

    def directory(self):
        """nbgrader's CourseDirectory."""
        from nbgrader.coursedir import CourseDirectory  # noqa: PLC0415

        return CourseDirectory(config=self.config)

    @contextmanager
    def gradebook(self):
        """nbgrader's Gradebook, made where there is none yet.

        Raises
        ------
        CourseError
            Where its database cannot be reached.
        """
        from nbgrader.api import Gradebook  # noqa: PLC0415
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

        directory = self.directory()
        try:
            with calling_nbgrader(), Gradebook(directory.db_url, directory.course_id) as gradebook:
                yield gradebook
        except (SQLAlchemyError, ImportError) as error:
            raise CourseError(f"the gradebook {shown_url(directory.db_url)} cannot be used: {_told(error)}") from None

    def folder_of(self, step, student, assignment):
        """Where nbgrader keeps what a step makes: `submitted`, `autograded`, `feedback`, `release` or `source`."""
        return self.folder / step / student / assignment

    def assignments(self, named=()):
        """The names of the assignments that were built, or of those named.

        Raises
        ------
        CourseError
            Where one is unknown, or none has been built.
        """
        with self.gradebook() as gradebook:
            built = sorted(assignment.name for assignment in gradebook.assignments)
        if not built:
            raise CourseError(f"{self.folder} has no assignments yet: run `attn course build --course {self.folder}`")
        if unknown := next((name for name in named if name not in built), None):
            raise CourseError(f"{unknown} is no assignment of this course: it has {', '.join(built)}")
        return list(dict.fromkeys(named)) or built

    def students(self, assignment, step="submitted"):
        """Who has a folder of this assignment there."""
        return sorted(path.parent.name for path in (self.folder / step).glob(f"*/{assignment}") if path.is_dir())

    def call(self, step, *arguments, **options):
        """Call a method of nbgrader's API.

        Returns
        -------
        str
            What it logged.

        Raises
        ------
        StepFailed
            With nbgrader's reason.
        """
        with calling_nbgrader():
            return succeeded(getattr(self.api, step)(*arguments, **options))


class StepFailed(Exception):
    """nbgrader could not do what it was asked to; the message is its reason, `log` all that it said."""

    def __init__(self, log):
        entries = re.findall(r"^\[(?:ERROR|CRITICAL)\] (.*(?:\n(?!\[).*)*)", log, re.MULTILINE)
        told = [" ".join(entry.split()) for entry in entries if not entry.startswith("Traceback")]
        raised = [entry.strip().splitlines()[-1].strip() for entry in entries if entry.startswith("Traceback")]
        said = "".join(told[:1])
        also = [text for text in raised[:1] if text.partition(": ")[2] not in said]
        super().__init__(". ".join(filter(None, [said, *also])) or log.strip() or "it does not say why")
        self.log = log


def succeeded(result):
    """The log in a result of nbgrader's API; `StepFailed` where it did not succeed."""
    if "KeyboardInterrupt" in result.get("error", ""):
        raise KeyboardInterrupt  # nbgrader catches this too
    if not result["success"]:
        raise StepFailed(f"{result.get('log', '')}\n{result.get('error', '')}")
    return result.get("log", "")


def shown_url(url):
    """A database's address without its password."""
    from sqlalchemy.engine import make_url  # noqa: PLC0415

    return make_url(url).render_as_string(hide_password=True)


def _told(error):
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__


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


@functools.lru_cache(maxsize=1)
def course_in(folder):
    """The course in a folder, read once: for processes that are handed one piece of work after the other."""
    return Course(folder)


@functools.lru_cache(maxsize=1)
def _engine(url, **options):
    from sqlalchemy import create_engine  # noqa: PLC0415

    return create_engine(url, **options)


@contextmanager
def calling_nbgrader():
    """What nbgrader needs around it, and what keeps its libraries' warnings from a teacher's terminal.

    It starts `alembic` by name, which is to be found where the environment is used without being activated. It opens
    the gradebook ten times for a submission: with one engine for all, SQLAlchemy compiles each statement once.
    """
    from nbgrader import api  # noqa: PLC0415

    before, create_engine = os.environ.get("PATH", ""), api.create_engine
    api.create_engine = _engine
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.environ["PATH"] = before
        api.create_engine = create_engine
