"""Calls of nbgrader's gradebook and applications. This module imports nbgrader, which is slow."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import BufferingHandler
from typing import Any

from alembic.script import ScriptDirectory
from nbgrader.api import Base, Gradebook
from nbgrader.apps import NbGraderAPI as NbGraderAPI
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
from autograder.classroom.gradebook.queries import UNUSABLE, Query

MAX_LOG_RECORDS = 10_000


def run_application(application: Any, begin: str = "") -> None:
    """Run an nbgrader application. If it fails, raises `CourseError` with `begin` and its first and last error."""
    errors = BufferingHandler(MAX_LOG_RECORDS)
    errors.setLevel(logging.ERROR)
    application.log.addHandler(errors)
    try:
        with suppress_warnings():
            application.start()
    except (Exception, SystemExit) as error:  # Some applications exit.
        messages = (" ".join(record.getMessage().split()) for record in errors.buffer)
        first_message = next((message for message in messages if not message.startswith("Traceback")), "")
        reasons = dict.fromkeys(filter(None, (first_message, str(error) or type(error).__name__)))
        raise CourseError(begin + ". ".join(reasons)) from None
    finally:
        application.log.removeHandler(errors)


def generate_release(
    directory: CourseDirectory, config: Config, assignment: str, folder: str, is_trial: bool = False
) -> None:
    """Generate an assignment's `release` from `source`, both in `folder`. A trial does not change the gradebook."""
    directory.assignment_id = assignment
    directory.source_directory, directory.release_directory = f"{folder}/source", f"{folder}/release"
    generator: Any = GenerateAssignment(coursedir=directory, config=config)
    generator.force = generator.create_assignment = True
    if is_trial:
        generator.no_database = True
        generator.preprocessors = [step for step in generator.preprocessors if step is not SaveCells]
    run_application(generator, f"nbgrader could not make the assignment {assignment} in {directory.root}: ")


@contextmanager
def suppress_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def open_gradebook(directory: CourseDirectory) -> Iterator[Gradebook]:
    """Yield nbgrader's gradebook, which is created if it is missing. Raises `CourseError` if its database fails."""
    try:
        with suppress_warnings():
            _create_tables(directory.db_url)
            with Gradebook(directory.db_url, directory.course_id) as gradebook:
                yield gradebook
    except (SQLAlchemyError, ImportError) as error:
        address = make_url(directory.db_url).render_as_string(hide_password=True)
        reason = str(getattr(error, "orig", None) or error).strip().rpartition("\n")[2].strip() or type(error).__name__
        raise CourseError(UNUSABLE.format(address, reason)) from None


def make_query_function(gradebook: Gradebook) -> Query:
    """Return a function that queries a gradebook, including its uncommitted changes."""

    def query(sql: str, **values: Any) -> list[Any]:
        return [*gradebook.db.execute(text(sql), values)]

    return query


def query_gradebook(directory: CourseDirectory, sql: str, **values: Any) -> list[Any]:
    with open_gradebook(directory) as gradebook:
        return make_query_function(gradebook)(sql, **values)


def read_settings(directory: CourseDirectory, config: Config) -> dict[str, Any]:
    """Return name -> value, as plain data, of the nbgrader settings that this package uses, with their defaults."""
    return {
        "db_url": directory.db_url,
        "course_id": directory.course_id,
        "exchange": config.Exchange.get("root", Exchange.root.default_value),
        "is_hub": any("autograder.classroom" not in str(plugin) for plugin in config.ExchangeFactory.values()),
        "no_sandbox": bool(config.GradeAnswers.get("no_sandbox", False)),
        "named_regexp": str(config.FileNameCollectorPlugin.get("named_regexp", "")),
    }


def _create_tables(url: str) -> None:
    """Create the tables of a new gradebook. nbgrader would run the command `alembic`, which may not be on the path."""
    engine = create_engine(url)
    if not inspect(engine).get_table_names():
        version = ScriptDirectory(ALEMBIC_DIR).get_current_head()
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})
    engine.dispose()
