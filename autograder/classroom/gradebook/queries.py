"""Queries of nbgrader's gradebook in SQL, which need none of nbgrader's modules: importing those takes a second or two.

They ask for all learners at once. What they return is plain data; what changes a gradebook goes through nbgrader's API.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from autograder.chapters.errors import CourseError

Read = Callable[..., list[Any]]  # takes SQL, and its parameters by name
SQLITE, UNUSABLE = "sqlite:///", "the gradebook {} cannot be used: {}"
_EPOCH = datetime(1970, 1, 1)  # SQLite has times as texts, and spans as times after this one


def read_file(path: str, sql: str, values: dict[str, Any]) -> list[Any]:
    """Return the rows of a query of a SQLite file. Raises `CourseError` if it is damaged or cannot be read."""
    try:  # not read-only: what a killed run left half written has to be rolled back first
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=rw", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        raise CourseError(UNUSABLE.format(f"{SQLITE}{path}", error)) from None


def due_dates(read: Read) -> dict[str, datetime | None]:
    """Return assignment -> when it is due, in naive UTC."""
    rows = read("SELECT name, duedate FROM assignment")
    return {name: datetime.fromisoformat(due) if isinstance(due, str) else due for name, due in rows}


@dataclass(frozen=True)
class Student:
    id: str
    first_name: str | None
    last_name: str | None
    email: str | None


def students(read: Read) -> list[Student]:
    sql = "SELECT id, first_name, last_name, email FROM student ORDER BY last_name, first_name"
    return [Student(*row) for row in read(sql)]


@dataclass(frozen=True)
class Given:
    name: str
    source: str
    cell_type: str
    locked: bool
    checksum: str


@dataclass(frozen=True)
class Released:
    """A notebook as it was handed out."""

    given: dict[str, Given] = field(default_factory=dict)  # cell name -> the released cell
    points: dict[str, float] = field(default_factory=dict)  # name of a grade cell -> its points
    solutions: frozenset[str] = frozenset()  # names of the cells for answers
    tasks: frozenset[str] = frozenset()  # names of nbgrader's tasks, which are graded by hand

    def tests(self) -> dict[str, tuple[float, str]]:
        graded = {name: self.given.get(name) for name in self.points if name not in self.solutions | self.tasks}
        return {
            name: (self.points[name], cell.source if cell else "")
            for name, cell in graded.items()
            if cell is None or cell.cell_type == "code"
        }


_NOTEBOOKS = "FROM assignment JOIN notebook ON notebook.assignment_id = assignment.id"
_WORTH = "COALESCE(grade_cells.max_score, task_cells.max_score, 0.0)"
_WORTHS = "LEFT JOIN grade_cells ON grade_cells.id = base_cell.id LEFT JOIN task_cells ON task_cells.id = base_cell.id"


def released(read: Read, assignment: str) -> dict[str, Released]:
    """Return chapter -> its notebook, in an assignment that was built."""
    sources = f"""SELECT notebook.name, cell.name, source, cell_type, locked, checksum {_NOTEBOOKS}
        LEFT JOIN source_cell AS cell ON cell.notebook_id = notebook.id WHERE assignment.name = :assignment"""
    cells = f"""SELECT notebook.name, base_cell.name, type, {_WORTH} {_NOTEBOOKS}
        JOIN base_cell ON base_cell.notebook_id = notebook.id {_WORTHS} WHERE assignment.name = :assignment"""
    given = defaultdict[str, dict[str, Given]](dict)
    for chapter, name, source, kind, locked, checksum in read(sources, assignment=assignment):
        given[chapter] |= {name: Given(name, source, kind, bool(locked), checksum)} if name else {}
    points, names = defaultdict[str, dict[str, float]](dict), defaultdict[tuple[str, str], set[str]](set)
    for chapter, name, kind, worth in read(cells, assignment=assignment):
        names[chapter, kind].add(name)
        points[chapter] |= {name: worth} if kind != "SolutionCell" else {}
    kinds = "SolutionCell", "TaskCell"
    return {
        chapter: Released(its, points[chapter], *(frozenset(names[chapter, kind]) for kind in kinds))
        for chapter, its in given.items()
    }


def max_score(read: Read, assignment: str) -> float:
    return sum(sum(notebook.points.values()) for notebook in released(read, assignment).values())


_SUBMISSIONS = "FROM submitted_assignment AS work JOIN assignment ON assignment.id = work.assignment_id"


def extensions(read: Read, assignment: str) -> dict[str, timedelta]:
    """Return student -> an extension, none for most, of all submissions of an assignment."""
    sql = f"SELECT student_id, extension {_SUBMISSIONS} WHERE assignment.name = :assignment"
    rows = read(sql, assignment=assignment)
    return {
        who: datetime.fromisoformat(span) - _EPOCH if isinstance(span, str) else span or timedelta()
        for who, span in rows
    }


@dataclass(frozen=True)
class Grade:
    """The points of one cell of a submission."""

    auto: float | None = None  # by tests
    manual: float | None = None  # by a person
    extra: float = 0.0
    waits: bool = False  # whether a person still has to look at it
    worth: float = 0.0

    @property
    def is_known(self) -> bool:
        return (self.auto if self.manual is None else self.manual) is not None

    @property
    def score(self) -> float:
        points = self.auto if self.manual is None else self.manual
        return 0.0 if points is None else points + self.extra


@dataclass
class Work:
    """One graded notebook of a submission."""

    penalty: float = 0.0
    grades: dict[str, Grade] = field(default_factory=dict)  # cell -> its points
    comments: dict[str, str | None] = field(default_factory=dict)  # cell -> a person's comment, or a test's

    @property
    def score(self) -> float:
        """Return its points from tests and people, before the penalty."""
        return sum(grade.score for grade in self.grades.values())

    @property
    def counts(self) -> float:
        return max(0.0, self.score - self.penalty)


def works(read: Read, assignment: str, student: str = "") -> dict[str, dict[str, Work]]:
    """Return student -> chapter -> graded notebook; of one learner, or of all."""
    found = f"""{_SUBMISSIONS} JOIN submitted_notebook ON submitted_notebook.assignment_id = work.id
        JOIN notebook ON notebook.id = submitted_notebook.notebook_id
        LEFT JOIN {{0}} ON {{0}}.notebook_id = submitted_notebook.id LEFT JOIN base_cell ON base_cell.id = cell_id"""
    asked = "WHERE assignment.name = :assignment AND (:student = '' OR student_id = :student)"
    grades = f"""SELECT student_id, notebook.name, late_submission_penalty, base_cell.name,
        auto_score, manual_score, extra_credit, needs_manual_grade, {_WORTH}
        {found.format("grade")} {_WORTHS} {asked}"""
    comments = f"""SELECT student_id, notebook.name, base_cell.name, COALESCE(manual_comment, auto_comment)
        {found.format("comment")} {asked}"""
    works_of = defaultdict[str, dict[str, Work]](dict)
    for who, chapter, penalty, name, auto, manual, extra, waits, worth in read(
        grades, assignment=assignment, student=student
    ):
        work = works_of[who].setdefault(chapter, Work(penalty or 0.0))
        work.grades |= {name: Grade(auto, manual, extra or 0.0, bool(waits), worth)} if name else {}
    for who, chapter, name, comment in read(comments, assignment=assignment, student=student):
        works_of[who][chapter].comments |= {name: comment} if name else {}
    return works_of


@dataclass(frozen=True)
class Standing:
    """What a whole submission has in the gradebook."""

    counts: float  # after the penalty
    penalty: float  # for lateness
    waits: bool  # whether a person still has to grade something


def standings(read: Read, assignment: str) -> dict[str, Standing]:
    """Return student -> standing, of all submissions of an assignment."""
    standing_of = {}
    for student, notebooks in works(read, assignment).items():
        score, penalty = (sum(getattr(work, key) for work in notebooks.values()) for key in ("score", "penalty"))
        waits = any(grade.waits for work in notebooks.values() for grade in work.grades.values())
        standing_of[student] = Standing(max(0.0, score - penalty), penalty, waits)
    return standing_of
