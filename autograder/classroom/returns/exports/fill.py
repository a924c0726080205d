"""Scores into the rows of a file that a platform gave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError
from autograder.classroom.returns.exports.scores import listed, number

if TYPE_CHECKING:
    from autograder.classroom.returns.exports.scores import Score
    from autograder.classroom.roster.table import Table


def match(rows: list[list[str]], columns: list[int], scores: Sequence[Score]) -> dict:
    """Find the student of each row.

    `columns`: where a row may hold nbgrader's student id or e-mail address, the surest first.
    Gives place of the row -> student id. Where two rows mean one student, or two students one row, nobody is matched.
    """
    ids = _unambiguous((_key(score.student), score.student) for score in scores)
    known = _unambiguous((key, score.student) for score in scores for key in score.keys | {_key(score.email)}) | ids
    found = {}
    for place, row in enumerate(rows):
        keys = (_key(row[column]) for column in columns)
        if student := next((known[key] for key in keys if key in known), None):
            found[place] = student
    claims = Counter(found.values())
    return {place: student for place, student in found.items() if claims[student] == 1}


def _key(text):
    return text.strip().casefold()


def _unambiguous(pairs):
    pairs = list(pairs)
    counts = Counter(key for key, _ in pairs)
    return {key: student for key, student in pairs if key and counts[key] == 1}


def fill(table: Table, column: int, assignment, matched: dict):
    """Put an assignment's scores into a column; yields sentences on what was done and what was not.

    `matched`: place of the row -> the student's id, as `match` found it.
    """
    scores = {score.student: score for score in assignment.scores}
    filled, reached = 0, set(matched.values())
    for place, student in matched.items():
        if scores[student].points is not None:
            table.rows[place][column] = number(scores[student].points)
            filled += 1
    yield f"{assignment.name}: {filled} score{'s' * (filled != 1)} filled in."
    yield from assignment.notes()
    graded = [each for each in assignment.scores if each.points is not None]
    if lost := [f"{each.student} ({number(each.points)})" for each in graded if each.student not in reached]:
        yield f"{assignment.name}: graded, but in no row of {table.path.name}, or in several: {listed(lost)}."


def strangers(table, people: dict, matched):
    """Yield a sentence that names the people in the table whom the gradebook does not know.

    `people`: number of the row -> name.
    `matched`: numbers of the rows that were matched with a learner.
    """
    unknown = [name for place, name in people.items() if place not in matched]
    if unknown:
        told = f"In {table.path.name}, but matched with nobody in the gradebook, so left as they were"
        yield f"{told}: {listed(unknown)}."


def require_same_maximum(assignment, told, where):
    """Refuse points out of one number as points out of another."""
    try:
        maximum = float(told.replace(",", "."))
    except ValueError:
        return
    if abs(maximum - assignment.max_points) > 0.005:
        ours, theirs = number(assignment.max_points), number(maximum)
        raise CourseError(
            f"{assignment.name} has {theirs} points in {where} and {ours} in the gradebook: "
            f"set {where} to {ours} and download the file again"
        )
