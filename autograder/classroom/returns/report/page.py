"""The teacher's report: a self-contained page, and a CSV table."""

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

from autograder.api import find_current_name, group_by_fingerprint, read_lesson
from autograder.chapters.chapter import read_chapter
from autograder.chapters.files import write_output
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import format_duration
from autograder.classroom.returns.pages import load_template
from autograder.classroom.returns.report import class_data
from autograder.classroom.returns.report.class_data import Author, ClassData, Learner
from autograder.classroom.returns.report.similar import SimilarAnswers, find_similar_pairs
from autograder.classroom.roster.groups import read_groups
from autograder.classroom.roster.table import CsvTable, write_table

MAX_LESSONS = 3  # number of mistakes that are listed at the top of the report
_COLUMNS = ("student", "name", "assignment", "state", "score", "max_score", "chapter", "exercise", "outcome", "points")
_COLUMNS += ("max_points", "misconception")


def write_report(
    course: Course, assignments: list[str], output: Path, table: Path | None = None, last_course: Course | None = None
) -> list[tuple[ClassData, list[SimilarAnswers]]]:
    """Write the report, and a CSV table if `table` is given. Return each class with its pairs of similar answers."""
    classes = [class_data.read_class(course, name) for name in assignments]
    template = load_template("report", duration=format_duration)
    link_of = functools.partial(_make_link, course, output)
    template.globals.update(RESULTS=class_data.RESULTS, STOPPED=class_data.STOPPED, link_of=link_of)
    untouched = [data.assignment for data in classes if all(each.state == "missing" for each in data.learners)]
    not_handed_in = untouched if len(classes) > 1 else []
    classes = [data for data in classes if data.assignment not in not_handed_in]
    sections = [_make_section(course, data, last_course) for data in classes]
    page = template.render(
        course=course.folder.resolve().name,
        sections=sections,
        waiting=not_handed_in,
        written=course.plan.format_time(datetime.now(timezone.utc), "%d %B %Y at %H:%M"),
    )
    write_output(output, clean(page))
    if table is not None:
        rows = [row for data in classes for row in _make_csv_rows(data)]
        write_table(table, CsvTable(None, list(_COLUMNS), rows))
    return [(section["data"], section["pairs"]) for section in sections]


def _make_link(course: Course, output: Path, data: ClassData, target: tuple[Learner, str, str]) -> str:
    """Return the relative link to a feedback page or, failing that, to the graded notebook; "" if both are missing."""
    learner, chapter, exercise = target
    for step, suffix in (("feedback", "html"), ("autograded", "ipynb")):
        path = course.folder_of(step, learner.submitter, data.assignment) / f"{chapter}.{suffix}"
        if path.exists():
            address = quote(Path(os.path.relpath(path, output.absolute().parent)).as_posix())
            return f"{address}#{exercise}" if exercise and suffix == "html" else address
    return ""


def _make_section(course: Course, data: ClassData, last_course: Course | None) -> dict[str, Any]:
    misconceptions = _rank_misconceptions(data)
    exercises = [read_chapter(chapter).get_exercise(name) for name, chapter in data.exercises.items()]
    # With extra points, a score may be above the maximum.
    percents = [min(99.9, max(0.0, 100 * score / (data.max_score or 1))) for score in data.scores]
    return {
        "data": data,
        "by_id": {learner.id: learner for learner in data.learners},
        "states": {state: [each.name for each in data.learners if each.state == state] for state in class_data.STATES},
        "mean": statistics.mean(data.scores) if data.scores else None,
        "median": statistics.median(data.scores) if data.scores else None,
        "seen": {data.classify_result(*entry) for entry in data.iter_results()},
        "bars": [sum(start <= percent < start + 10 for percent in percents) for start in range(0, 100, 10)],
        "hardest": _rank_exercises(data),
        "misconceptions": misconceptions,
        "teach": [each for each in misconceptions if len(each["learners"]) > 1][:MAX_LESSONS],
        # Answers that fail with the same results probably contain the same mistake.
        "unnamed": [group for group in group_by_fingerprint(data.iter_results()) if len(group.answers) > 1],
        "stopped": [result for result in data.iter_results() if result[2]["outcome"] in class_data.STOPPED],
        "faults": [result for result in data.iter_results() if result[2]["outcome"] == "fault"],
        "pairs": find_similar_pairs(
            class_data.read_fingerprints(course, data, last_course),
            {each.name: (each.stub, each.source) for each in exercises},
            functools.partial(_are_compared, read_groups(course, data.assignment)),
        ),
    }


def _are_compared(groups: dict[str, list[str]], first: Author, second: Author) -> bool:
    """Return whether to compare two authors: at least one is in this class, and they do not share a group in it."""
    share_group = any(first.id in group and second.id in group for group in groups.values())
    return (first.is_in_class or second.is_in_class) and not (share_group and first.is_in_class and second.is_in_class)


def _rank_exercises(data: ClassData) -> list[dict[str, Any]]:
    """Return the exercises with the mean share of points and the count of each result. The hardest comes first."""
    shares, counts = defaultdict(list), defaultdict(Counter)
    for entry in data.iter_results():
        exercise, key = entry[2], data.classify_result(*entry)
        counts[exercise["exercise"]][key] += 1
        # Leave out results that say nothing about how hard the exercise is.
        if key not in ("fault", "unread", "absent"):
            shares[exercise["exercise"]].append(exercise["points"] / (exercise["max_points"] or 1))
    rows = [
        {"name": name, "share": statistics.mean(shares[name] or [0.0]), "graded": len(shares[name])}
        | {"counts": [(key, outcomes[key]) for key in class_data.RESULTS if outcomes[key]], "right": outcomes["right"]}
        for name, outcomes in counts.items()
        if name in data.exercises
    ]
    return sorted(rows, key=lambda row: row["share"])


def _rank_misconceptions(data: ClassData) -> list[dict[str, Any]]:
    """Return the known mistakes, the most frequent first. A mistake counts only for the exercise where it was made."""
    learners, exercises = defaultdict[str, dict[str, Any]](dict), defaultdict[str, dict[str, None]](dict)
    lessons: dict[str, str] = {}
    for learner, chapter, record in data.iter_results():
        if (name := record["misconception"]) and not record.get("carried_from"):
            exercise, name = record["exercise"], find_current_name(record["exercise"], name)
            lessons.setdefault(name, _read_lesson(exercise, name))
            exercises[name][exercise] = None
            learners[name].setdefault(learner.id, (learner, chapter, exercise))
    return [
        {"exercises": [*exercises[name]], "lesson": lessons[name], "learners": [*learners[name].values()]}
        for name in sorted(learners, key=lambda name: (-len(learners[name]), name))
    ]


def _read_lesson(exercise: str, name: str) -> str:
    """Return the sentence of a misconception, or its name if it was removed from the kit after the grading."""
    with suppress(KeyError, OSError):
        if lesson := read_lesson(exercise, name, includes_correct_results=False)[0]:
            return lesson
    return name.replace("_", " ")


def _make_csv_rows(data: ClassData) -> Iterator[list[Any]]:
    for learner in data.learners:
        score = "" if learner.score is None else learner.score
        first_columns = [learner.id, learner.name, data.assignment, learner.state, score, data.max_score]
        for chapter, exercise in learner.iter_exercises():
            outcome = class_data.MISSED.get(data.classify_result(learner, chapter, exercise), exercise["outcome"])
            points = exercise["points"], exercise["max_points"]
            yield [*first_columns, chapter, exercise["exercise"], outcome, *points, exercise["misconception"] or ""]
        if not learner.verdicts:
            yield [*first_columns, *[""] * 6]
