"""nbgrader's gradebook and applications, called so that a failure is an exception with a reason."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from logging.handlers import BufferingHandler
from typing import TYPE_CHECKING, Any

from autograder.chapters.errors import CourseError

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from nbgrader.api import Student as Student  # for packages that must not import nbgrader
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config


MAX_RECORDS = 10_000  # of a log, until the handler begins anew


def run(application: Any, begin: str = "") -> None:
    """Run one of nbgrader's applications. Raises `CourseError` with its first and its last error message."""
    errors = BufferingHandler(MAX_RECORDS)
    errors.setLevel(logging.ERROR)
    application.log.addHandler(errors)
    try:
        with quiet():
            application.start()
    except (Exception, SystemExit) as error:  # some applications end the program
        said = [" ".join(record.getMessage().split()) for record in errors.buffer]
        first = next((sentence for sentence in said if not sentence.startswith("Traceback")), "")
        reasons = dict.fromkeys(filter(None, (first, str(error) or type(error).__name__)))
        raise CourseError(begin + ". ".join(reasons)) from None
    finally:
        application.log.removeHandler(errors)


def generate(directory: CourseDirectory, config: Config, assignment: str, inside: str, is_trial: bool = False) -> None:
    """Make a release of an assignment's source, both in a folder of the course; a trial leaves the gradebook alone."""
    from nbgrader.converters import GenerateAssignment  # noqa: PLC0415
    from nbgrader.preprocessors import SaveCells  # noqa: PLC0415

    directory.assignment_id = assignment
    directory.source_directory, directory.release_directory = f"{inside}/source", f"{inside}/release"
    generator: Any = GenerateAssignment(coursedir=directory, config=config)
    generator.force = generator.create_assignment = True
    if is_trial:
        generator.no_database = True
        generator.preprocessors = [step for step in generator.preprocessors if step is not SaveCells]
    run(generator, f"nbgrader could not make the assignment {assignment} in {directory.root}: ")


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings of nbgrader's libraries."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def directory(config: Config) -> CourseDirectory:
    from nbgrader.coursedir import CourseDirectory  # noqa: PLC0415

    return CourseDirectory(config=config)


def api(directory: CourseDirectory, config: Config) -> NbGraderAPI:
    from nbgrader.apps import NbGraderAPI  # noqa: PLC0415

    with quiet():
        return NbGraderAPI(directory, config=config)


@contextmanager
def gradebook(directory: CourseDirectory) -> Iterator[Gradebook]:
    """Open nbgrader's gradebook, or make a new one. Raises `CourseError` if its database cannot be reached."""
    from nbgrader.api import Gradebook  # noqa: PLC0415
    from sqlalchemy.engine import make_url  # noqa: PLC0415
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    try:
        with quiet():
            _make_tables(directory.db_url)
            with Gradebook(directory.db_url, directory.course_id) as opened:
                yield opened
    except (SQLAlchemyError, ImportError) as error:
        address = make_url(directory.db_url).render_as_string(hide_password=True)
        said = str(getattr(error, "orig", None) or error).strip().rpartition("\n")[2].strip() or type(error).__name__
        raise CourseError(f"the gradebook {address} cannot be used: {said}") from None


def _make_tables(url: str) -> None:
    """Make the tables of a new gradebook directly; nbgrader would run the command `alembic` for the version."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415
    from nbgrader.api import Base  # noqa: PLC0415
    from nbgrader.dbutil import ALEMBIC_DIR  # noqa: PLC0415
    from sqlalchemy import create_engine, inspect, text  # noqa: PLC0415

    engine = create_engine(url)
    if not inspect(engine).get_table_names():
        version = ScriptDirectory(ALEMBIC_DIR).get_current_head()
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})
    engine.dispose()


def read_utc(text: str) -> datetime:
    from nbgrader.utils import parse_utc  # noqa: PLC0415

    return parse_utc(text)


def read_by_teacher(name: str, config: Config) -> dict[str, str] | None:
    """Parse a file name by the expression in the teacher's configuration; None if there is no expression."""
    from nbgrader.plugins import FileNameCollectorPlugin  # noqa: PLC0415

    plugin = FileNameCollectorPlugin(config=config)
    return (plugin._match(name) or {}) if plugin.named_regexp else None
