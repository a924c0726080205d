"""Queries of nbgrader's gradebook in SQL, because importing nbgrader takes a second or two.

Each query returns plain data. A gradebook is only changed through nbgrader's API.
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

Query = Callable[..., list[Any]]  # takes an SQL text, and the query's parameters as keyword arguments
SQLITE, UNUSABLE = "sqlite:///", "the gradebook {} cannot be used: {}"
# In SQLite, SQLAlchemy stores a datetime as text, and an interval as a datetime counted from the epoch.
_EPOCH = datetime(1970, 1, 1)


def query_file(path: str, sql: str, **values: Any) -> list[Any]:
    """Return the rows of a query of a SQLite file. Raises `CourseError` if the file is damaged or cannot be read."""
    try:
        # Open the file for writing, so that SQLite can roll back an incomplete transaction of a killed run.
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=rw", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        raise CourseError(UNUSABLE.format(f"{SQLITE}{path}", error)) from None


def read_due_dates(query: Query) -> dict[str, datetime | None]:
    """Return assignment -> due date in naive UTC, or None if it has none."""
    rows = query("SELECT name, duedate FROM assignment")
    return {name: datetime.fromisoformat(due) if isinstance(due, str) else due for name, due in rows}


@dataclass(frozen=True)
class Student:
    id: str
    first_name: str | None
    last_name: str | None
    email: str | None

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.first_name, self.last_name)))


def read_students(query: Query) -> list[Student]:
    sql = "SELECT id, first_name, last_name, email FROM student ORDER BY last_name, first_name"
    return [Student(*row) for row in query(sql)]


@dataclass(frozen=True)
class SourceCell:
    name: str
    source: str
    cell_type: str
    locked: bool
    checksum: str


@dataclass(frozen=True)
class ReleasedNotebook:
    """A notebook as it was released. Cells are identified by their names."""

    cells: dict[str, SourceCell] = field(default_factory=dict)
    points: dict[str, float] = field(default_factory=dict)  # graded cell -> points
    # The names of cells for answers, and of nbgrader's tasks, which are graded by hand.
    solutions: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()

    def list_tests(self) -> dict[str, tuple[float, str]]:
        """Return name of a test cell -> (points, source code)."""
        cells = {name: self.cells.get(name) for name in self.points if name not in self.solutions | self.tasks}
        return {
            name: (self.points[name], cell.source if cell else "")
            for name, cell in cells.items()
            if cell is None or cell.cell_type == "code"
        }


_NOTEBOOKS = "FROM assignment JOIN notebook ON notebook.assignment_id = assignment.id"
_WORTH = "COALESCE(grade_cells.max_score, task_cells.max_score, 0.0)"
_WORTHS = "LEFT JOIN grade_cells ON grade_cells.id = base_cell.id LEFT JOIN task_cells ON task_cells.id = base_cell.id"


def read_released_notebooks(query: Query, assignment: str) -> dict[str, ReleasedNotebook]:
    """Return chapter -> released notebook of an assignment; empty if the assignment was not built."""
    sources = f"""SELECT notebook.name, cell.name, source, cell_type, locked, checksum {_NOTEBOOKS}
        LEFT JOIN source_cell AS cell ON cell.notebook_id = notebook.id WHERE assignment.name = :assignment"""
    cells = f"""SELECT notebook.name, base_cell.name, type, {_WORTH} {_NOTEBOOKS}
        JOIN base_cell ON base_cell.notebook_id = notebook.id {_WORTHS} WHERE assignment.name = :assignment"""
    source_cells = defaultdict[str, dict[str, SourceCell]](dict)
    for chapter, name, source, kind, is_locked, checksum in query(sources, assignment=assignment):
        source_cells[chapter] |= {name: SourceCell(name, source, kind, bool(is_locked), checksum)} if name else {}
    points, names = defaultdict[str, dict[str, float]](dict), defaultdict[tuple[str, str], set[str]](set)
    for chapter, name, kind, worth in query(cells, assignment=assignment):
        names[chapter, kind].add(name)
        points[chapter] |= {name: worth} if kind != "SolutionCell" else {}
    kinds = "SolutionCell", "TaskCell"
    return {
        chapter: ReleasedNotebook(of_chapter, points[chapter], *(frozenset(names[chapter, kind]) for kind in kinds))
        for chapter, of_chapter in source_cells.items()
    }


def read_max_score(query: Query, assignment: str) -> float:
    return sum(sum(notebook.points.values()) for notebook in read_released_notebooks(query, assignment).values())


_SUBMISSIONS = "FROM submitted_assignment AS work JOIN assignment ON assignment.id = work.assignment_id"


def read_submission_extensions(query: Query, assignment: str) -> dict[str, timedelta]:
    """Return student -> length of the extension (usually zero) for all students who submitted an assignment."""
    sql = f"SELECT student_id, extension {_SUBMISSIONS} WHERE assignment.name = :assignment"
    rows = query(sql, assignment=assignment)
    return {
        student: datetime.fromisoformat(span) - _EPOCH if isinstance(span, str) else span or timedelta()
        for student, span in rows
    }


@dataclass(frozen=True)
class Grade:
    auto: float | None = None  # points from tests
    manual: float | None = None  # points from a person
    extra: float = 0.0
    needs_manual_grade: bool = False
    max_score: float = 0.0

    @property
    def is_known(self) -> bool:
        return (self.auto if self.manual is None else self.manual) is not None

    @property
    def score(self) -> float:
        points = self.auto if self.manual is None else self.manual
        return 0.0 if points is None else points + self.extra


@dataclass
class GradedWork:
    """The points and comments of one notebook of a submission, or of all its notebooks together."""

    penalty: float = 0.0  # points that are subtracted for lateness
    grades: dict[str, Grade] = field(default_factory=dict)  # cell -> points
    comments: dict[str, str | None] = field(default_factory=dict)  # cell -> comment by a person, or by nbgrader

    @property
    def score(self) -> float:
        """Return the sum of the points of all cells, before the penalty."""
        return sum(grade.score for grade in self.grades.values())

    @property
    def final_score(self) -> float:
        return max(0.0, self.score - self.penalty)

    @property
    def points_by_hand(self) -> dict[str, tuple[float, float]]:
        """Return cell -> (manual score, maximum) for all cells that a person has graded."""
        return {name: (each.manual, each.max_score) for name, each in self.grades.items() if each.manual is not None}

    @property
    def needs_manual_grade(self) -> bool:
        return any(grade.needs_manual_grade for grade in self.grades.values())


def read_graded_notebooks(query: Query, assignment: str, student: str = "") -> dict[str, dict[str, GradedWork]]:
    """Return student -> chapter -> graded notebook, for all students or only for one."""
    tables = f"""{_SUBMISSIONS} JOIN submitted_notebook ON submitted_notebook.assignment_id = work.id
        JOIN notebook ON notebook.id = submitted_notebook.notebook_id
        LEFT JOIN {{0}} ON {{0}}.notebook_id = submitted_notebook.id LEFT JOIN base_cell ON base_cell.id = cell_id"""
    condition = "WHERE assignment.name = :assignment AND (:student = '' OR student_id = :student)"
    grades = f"""SELECT student_id, notebook.name, late_submission_penalty, base_cell.name,
        auto_score, manual_score, extra_credit, needs_manual_grade, {_WORTH}
        {tables.format("grade")} {_WORTHS} {condition}"""
    comments = f"""SELECT student_id, notebook.name, base_cell.name, COALESCE(manual_comment, auto_comment)
        {tables.format("comment")} {condition}"""
    notebooks = defaultdict[str, dict[str, GradedWork]](dict)
    values = {"assignment": assignment, "student": student}
    for learner, chapter, penalty, name, auto, manual, extra, waits, worth in query(grades, **values):
        notebook = notebooks[learner].setdefault(chapter, GradedWork(penalty or 0.0))
        notebook.grades |= {name: Grade(auto, manual, extra or 0.0, bool(waits), worth)} if name else {}
    for learner, chapter, name, comment in query(comments, **values):
        notebooks[learner][chapter].comments |= {name: comment} if name else {}
    return notebooks


def read_graded_submissions(query: Query, assignment: str, student: str = "") -> dict[str, GradedWork]:
    """Return student -> points of all notebooks of the submission together, for all students or only for one."""
    submissions = dict[str, GradedWork]()
    for learner, notebooks in read_graded_notebooks(query, assignment, student).items():
        submissions[learner] = submission = GradedWork(sum(notebook.penalty for notebook in notebooks.values()))
        for chapter, notebook in notebooks.items():
            names = {name: f"{chapter}/{name}" if name in submission.grades else name for name in notebook.grades}
            submission.grades |= {names[name]: grade for name, grade in notebook.grades.items()}
    return submissions
