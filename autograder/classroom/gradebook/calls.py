"""What every call of nbgrader needs around it, and what it says where it fails."""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from autograder.chapters.errors import CourseError

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from nbgrader.api import Student as Student  # for rooms that do not know nbgrader
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from sqlalchemy import Engine
    from traitlets.config import Config


class StepFailed(CourseError):
    """nbgrader could not do what it was asked to; the message is its reason, `log` all that it said."""

    def __init__(self, log: str) -> None:
        entries = re.findall(r"^\[(?:ERROR|CRITICAL)\] (.*(?:\n(?!\[).*)*)", log, re.MULTILINE)
        messages = [" ".join(entry.split()) for entry in entries if not entry.startswith("Traceback")]
        raised = [entry.strip().splitlines()[-1].strip() for entry in entries if entry.startswith("Traceback")]
        said = "".join(messages[:1])
        also = [text for text in raised[:1] if text.partition(": ")[2] not in said]
        super().__init__(". ".join(text for text in [said, *also] if text) or log.strip() or "it does not say why")
        self.log = log


def succeeded(result: dict[str, Any]) -> str:
    """The log in a result of nbgrader's API; `StepFailed` where it did not succeed."""
    if "KeyboardInterrupt" in result.get("error", ""):
        raise KeyboardInterrupt  # nbgrader catches this too
    if not result["success"]:
        raise StepFailed(f"{result.get('log', '')}\n{result.get('error', '')}")
    return result.get("log", "")


def directory(config: Config) -> CourseDirectory:
    from nbgrader.coursedir import CourseDirectory  # noqa: PLC0415

    return CourseDirectory(config=config)


def api(directory: CourseDirectory, config: Config) -> NbGraderAPI:
    from nbgrader.apps import NbGraderAPI  # noqa: PLC0415

    with calling_nbgrader():
        return NbGraderAPI(directory, config=config)


@contextmanager
def gradebook(directory: CourseDirectory) -> Iterator[Gradebook]:
    """nbgrader's Gradebook, made where there is none yet; `CourseError` where its database cannot be reached."""
    from nbgrader.api import Gradebook  # noqa: PLC0415
    from sqlalchemy.engine import make_url  # noqa: PLC0415
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    try:
        with calling_nbgrader(), Gradebook(directory.db_url, directory.course_id) as opened:
            yield opened
    except (SQLAlchemyError, ImportError) as error:
        address = make_url(directory.db_url).render_as_string(hide_password=True)
        said = str(getattr(error, "orig", None) or error).strip().rpartition("\n")[2].strip() or type(error).__name__
        raise CourseError(f"the gradebook {address} cannot be used: {said}") from None


def read_utc(text: str) -> datetime:
    """A time as nbgrader reads it and keeps it: in UTC without saying so."""
    from nbgrader.utils import parse_utc  # noqa: PLC0415

    return parse_utc(text)


_OPTIONS = {"echo": False, "future": True}  # as nbgrader's Gradebook has them


def read_by_teacher(name: str, config: Config) -> dict[str, str] | None:
    """What the expression of the teacher's configuration reads in a file's name; None where there is no expression."""
    from nbgrader.plugins import FileNameCollectorPlugin  # noqa: PLC0415

    plugin = FileNameCollectorPlugin(config=config)
    return (plugin._match(name) or {}) if plugin.named_regexp else None


@functools.lru_cache(maxsize=1)
def _engine(url: str, **options: Any) -> Engine:
    from sqlalchemy import create_engine  # noqa: PLC0415

    return create_engine(url, **options)


def _version_of_tables() -> str | None:
    from alembic.script import ScriptDirectory  # noqa: PLC0415
    from nbgrader.dbutil import ALEMBIC_DIR  # noqa: PLC0415

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


@contextmanager
def calling_nbgrader() -> Iterator[None]:
    """What keeps nbgrader quick, and its libraries' warnings from a teacher's terminal."""
    with _gradebook_opened_once(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _close(gradebook: Gradebook) -> None:
    gradebook.db.remove()


@contextmanager
def _gradebook_opened_once() -> Iterator[None]:
    """nbgrader opens its gradebook ten times for a submission, and each time looks whether all tables are there.

    Here it looks once, and has one engine for all sessions, so that SQLAlchemy compiles each statement once. For a
    new one it starts the command `alembic`, by name, to ask for the version of its tables; here alembic is asked.
    """
    from nbgrader import api  # noqa: PLC0415
    from sqlalchemy.orm import scoped_session, sessionmaker  # noqa: PLC0415

    databases = set[tuple[str, str]]()
    gradebook: Any = api.Gradebook
    module: Any = api
    opened, close = gradebook.__init__, gradebook.close
    create_engine, version = module.create_engine, module.get_alembic_version

    def open_known(self: Gradebook, db_url: str, course_id: str = "default_course", authenticator: Any = None) -> None:
        if (db_url, course_id) not in databases:
            opened(self, db_url, course_id, authenticator)
            databases.add((db_url, course_id))
            return
        self.engine, self.course_id, self.authenticator = _engine(db_url, **_OPTIONS), course_id, authenticator
        self.db = scoped_session(sessionmaker(autoflush=True, bind=self.engine, future=True))

    module.create_engine, module.get_alembic_version, gradebook.__init__ = _engine, _version_of_tables, open_known
    gradebook.close = _close
    try:
        yield
    finally:
        module.create_engine, module.get_alembic_version = create_engine, version
        gradebook.__init__, gradebook.close = opened, close
        for db_url, _ in databases:
            _engine(db_url, **_OPTIONS).dispose()  # no connection is open when a process is started
