"""The whole course in one table: a line for each learner, a column for each assignment, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.marking.basis import drawn_with
from autograder.classroom.marking.judge import Place, read_verdicts
from autograder.classroom.returns.exports.scores import number, read_scores
from autograder.classroom.roster.people import by_name
from autograder.classroom.roster.table import Table, write_table

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course
    from autograder.classroom.returns.exports.scores import AssignmentScores


@dataclass(frozen=True)
class Line:
    """One learner."""

    student: str
    name: str
    email: str
    points: list  # of each assignment; None where nothing was handed in, which counts as 0
    dropped: frozenset  # places of the assignments that do not count, the worst ones
    percent: float  # of all that can be had, weighed as `course.toml` says


def overview(course: Course) -> tuple[list[AssignmentScores], list[Line]]:
    """Read what everybody has.

    Gives the assignments that anybody's work was graded for.
    """
    assignments, plan = read_scores(course), course.plan
    weights = [plan.assignment(each.name).weight for each in assignments]
    lines = []
    for same in zip(*(each.scores for each in assignments), strict=True):
        points = [score.points for score in same]
        shares = [(score or 0) / (each.max_points or 1) for score, each in zip(points, assignments, strict=True)]
        worst = sorted(range(len(shares)), key=lambda at: shares[at])[: min(plan.drop_lowest, len(shares) - 1)]
        counting = [at for at in range(len(shares)) if at not in worst]
        whole = sum(weights[at] for at in counting) or 1
        percent = 100 * sum(weights[at] * shares[at] for at in counting) / whole
        first = same[0]
        lines.append(Line(first.student, first.name, first.email, points, frozenset(worst), percent))
    return assignments, sorted(lines, key=lambda line: by_name(line.name or line.student))


def drawn(course: Course, assignments: list[AssignmentScores]) -> Iterator[str]:
    """For each assignment, which version of the kit and which secret its grades were drawn with."""
    for each in assignments:
        paths = (course.folder / "verdicts").glob(f"*/{each.name}/*.json")
        places = [Place(path.parts[-3], each.name, path.stem) for path in paths if course.is_included(path.parts[-3])]
        if told := drawn_with(line for place in places if (line := read_verdicts(course.folder, place))):
            yield f"{each.name}: {told}."


def write_overview(path: Path, assignments: list[AssignmentScores], lines: list[Line]) -> None:
    """Write the table as CSV."""
    header = ["student", "name", "email", *(each.name for each in assignments), "percent"]
    rows = []
    for line in lines:
        points = ["" if each is None else number(each) for each in line.points]
        rows.append([line.student, line.name, line.email, *points, f"{line.percent:.2f}"])
    write_table(path, Table(None, header, rows))
