"""The teacher's report: a self-contained page, and a CSV file."""

import functools
import os
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.api import group_by_fingerprint, read_lesson, update_name
from autograder.chapters.chapter import read_chapter
from autograder.chapters.files import write_output
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import format_duration
from autograder.classroom.returns.pages import template
from autograder.classroom.returns.report.class_data import (
    MISSED,
    RESULTS,
    STATES,
    STOPPED,
    Author,
    ClassData,
    Learner,
    read_answers,
    read_class,
)
from autograder.classroom.returns.report.similar import Pair, similar_pairs
from autograder.classroom.roster.groups import groups_of
from autograder.classroom.roster.table import Table, write_table

MAX_LESSONS = 3  # mistakes at the top of the report
_COLUMNS = ("student", "name", "assignment", "state", "score", "max_score", "chapter", "exercise", "outcome", "points")
_COLUMNS += ("max_points", "misconception")


def write_report(
    course: Course, assignments: list[str], output: Path, table: Path | None = None, last: Course | None = None
) -> list[tuple[ClassData, list[Pair]]]:
    """Write the page, and a CSV table if requested; return the pairs of similar answers."""
    classes = [read_class(course, name) for name in assignments]
    page_of = template("report", duration=format_duration)
    page_of.globals.update(RESULTS=RESULTS, STOPPED=STOPPED, link_of=functools.partial(_link, course, output))
    untouched = [data.assignment for data in classes if all(each.state == "missing" for each in data.learners)]
    waiting = untouched if len(classes) > 1 else []
    classes = [data for data in classes if data.assignment not in waiting]
    sections = [_section(course, data, last) for data in classes]
    page = page_of.render(
        course=course.folder.resolve().name,
        sections=sections,
        waiting=waiting,
        written=course.plan.shown(datetime.now(timezone.utc), "%d %B %Y at %H:%M"),
    )
    write_output(output, clean(page))
    if table is not None:
        rows = [row for data in classes for row in _rows(data)]
        write_table(table, Table(None, list(_COLUMNS), rows))
    return [(section["data"], section["pairs"]) for section in sections]


def _link(course: Course, output: Path, data: ClassData, who: tuple[Learner, str, str]) -> str:
    """Return the relative link to a feedback page, or else to the graded notebook; empty if there is none."""
    learner, chapter, exercise = who
    for step, suffix in (("feedback", "html"), ("autograded", "ipynb")):
        path = course.folder_of(step, learner.author, data.assignment) / f"{chapter}.{suffix}"
        if path.exists():
            address = quote(Path(os.path.relpath(path, output.absolute().parent)).as_posix())
            return f"{address}#{exercise}" if exercise and suffix == "html" else address
    return ""


def _section(course: Course, data: ClassData, last: Course | None) -> dict[str, Any]:
    misconceptions = _misconceptions(data)
    exercises = [read_chapter(chapter).exercise(name) for name, chapter in data.exercises.items()]
    percents = [min(99.9, max(0.0, 100 * score / (data.max_score or 1))) for score in data.scores]  # extra points
    return {
        "data": data,
        "by_id": {learner.id: learner for learner in data.learners},
        "states": {state: [each.name for each in data.learners if each.state == state] for state in STATES},
        "mean": statistics.mean(data.scores) if data.scores else None,
        "median": statistics.median(data.scores) if data.scores else None,
        "seen": {data.result(*entry) for entry in data.found()},
        "bars": [sum(start <= percent < start + 10 for percent in percents) for start in range(0, 100, 10)],
        "hardest": _hardest_first(data),
        "misconceptions": misconceptions,
        "teach": [each for each in misconceptions if len(each["who"]) > 1][:MAX_LESSONS],
        # Several learners with equal replies to equal requests make one mistake.
        "unnamed": [group for group in group_by_fingerprint(data.found()) if len(group.answers) > 1],
        "stopped": [result for result in data.found() if result[2]["outcome"] in STOPPED],
        "faults": [result for result in data.found() if result[2]["outcome"] == "fault"],
        "pairs": similar_pairs(
            read_answers(course, data, last),
            {each.name: (each.stub, each.source) for each in exercises},
            functools.partial(_are_compared, groups_of(course, data.assignment)),
        ),
    }


def _are_compared(groups: dict[str, list[str]], one: Author, other: Author) -> bool:
    """Return whether two authors are compared: not two of last year, and not two of one group."""
    together = any(one.id in group and other.id in group for group in groups.values())
    return (one.is_here or other.is_here) and not (together and one.is_here and other.is_here)


def _hardest_first(data: ClassData) -> list[dict[str, Any]]:
    """Return the graded exercises: mean share of points, how many have all, and counts of results."""
    shares, counts = defaultdict(list), defaultdict(Counter)
    for entry in data.found():
        exercise, key = entry[2], data.result(*entry)
        counts[exercise["exercise"]][key] += 1
        if key not in ("fault", "unread", "absent"):  # these say nothing about the exercise
            shares[exercise["exercise"]].append(exercise["points"] / (exercise["max_points"] or 1))
    rows = [
        {"name": name, "share": statistics.mean(shares[name] or [0.0]), "graded": len(shares[name])}
        | {"counts": [(key, outcomes[key]) for key in RESULTS if outcomes[key]], "right": outcomes["right"]}
        for name, outcomes in counts.items()
        if name in data.exercises
    ]
    return sorted(rows, key=lambda row: row["share"])


def _misconceptions(data: ClassData) -> list[dict[str, Any]]:
    """Return the named mistakes, most frequent first; one that is carried over counts where it was made."""
    who, where = defaultdict[str, dict[str, Any]](dict), defaultdict[str, dict[str, None]](dict)
    lessons: dict[str, str] = {}
    for learner, chapter, record in data.found():
        if (name := record["misconception"]) and not record.get("carried_from"):
            exercise, name = record["exercise"], update_name(record["exercise"], name)
            lessons.setdefault(name, _lesson(exercise, name))
            where[name][exercise] = None
            who[name].setdefault(learner.id, (learner, chapter, exercise))
    ordered = sorted(who, key=lambda name: (-len(who[name]), name))
    return [{"exercises": [*where[name]], "lesson": lessons[name], "who": [*who[name].values()]} for name in ordered]


def _lesson(exercise: str, name: str) -> str:
    with suppress(KeyError, OSError):  # graded with a mistake that is gone
        if lesson := read_lesson(exercise, name, is_all=False)[0]:
            return lesson
    return name.replace("_", " ")


def _rows(data: ClassData) -> Iterator[list[Any]]:
    for learner in data.learners:
        score = "" if learner.score is None else learner.score
        about = [learner.id, learner.name, data.assignment, learner.state, score, data.max_score]
        for chapter, exercise in learner.exercises():
            outcome = MISSED.get(data.result(learner, chapter, exercise), exercise["outcome"])
            points = exercise["points"], exercise["max_points"]
            yield [*about, chapter, exercise["exercise"], outcome, *points, exercise["misconception"] or ""]
        if not learner.verdicts:
            yield [*about, *[""] * 6]
