"""nbgrader's gradebook and applications, called so that a failure is an exception with a reason; slow to import."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import BufferingHandler
from typing import Any

from alembic.script import ScriptDirectory
from nbgrader.api import Base, Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.exchange.default import Exchange
from nbgrader.preprocessors import SaveCells
from nbgrader.utils import parse_utc as parse_utc
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config

from autograder.chapters.errors import CourseError
from autograder.classroom.gradebook.queries import UNUSABLE, Read

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


def api(directory: CourseDirectory, config: Config) -> NbGraderAPI:
    with quiet():
        return NbGraderAPI(directory, config=config)


@contextmanager
def gradebook(directory: CourseDirectory) -> Iterator[Gradebook]:
    """Open nbgrader's gradebook, or make a new one. Raises `CourseError` if its database cannot be reached."""
    try:
        with quiet():
            _make_tables(directory.db_url)
            with Gradebook(directory.db_url, directory.course_id) as opened:
                yield opened
    except (SQLAlchemyError, ImportError) as error:
        address = make_url(directory.db_url).render_as_string(hide_password=True)
        said = str(getattr(error, "orig", None) or error).strip().rpartition("\n")[2].strip() or type(error).__name__
        raise CourseError(UNUSABLE.format(address, said)) from None


def reader_of(gradebook: Gradebook) -> Read:
    """Return a function that also sees what is not committed yet."""

    def read(sql: str, **values: Any) -> list[Any]:
        return [*gradebook.db.execute(text(sql), values)]

    return read


def settings_of(directory: CourseDirectory, config: Config) -> dict[str, Any]:
    """Return the settings of nbgrader that this package uses, as plain data, with nbgrader's defaults."""
    return {
        "db_url": directory.db_url,
        "course_id": directory.course_id,
        "exchange": config.Exchange.get("root", Exchange.root.default_value),
        "is_hub": any("autograder.classroom" not in str(plugin) for plugin in config.ExchangeFactory.values()),
        "no_sandbox": bool(config.GradeAnswers.get("no_sandbox", False)),
        "named_regexp": str(config.FileNameCollectorPlugin.get("named_regexp", "")),
    }


def _make_tables(url: str) -> None:
    """Make the tables of a new gradebook directly; nbgrader would run the command `alembic` for the version."""
    engine = create_engine(url)
    if not inspect(engine).get_table_names():
        version = ScriptDirectory(ALEMBIC_DIR).get_current_head()
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})
    engine.dispose()
