"""The teacher's report: one page that stands alone, and the same as CSV."""

from __future__ import annotations

import os
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from autograder.chapters.chapter import read_chapter
from autograder.chapters.files import write_whole, writing
from autograder.chapters.text import clean
from autograder.classroom.course.times import spelled
from autograder.classroom.marking.basis import drawn_with
from autograder.classroom.returns.report.class_data import MISSED, RESULTS, STATES, STOPPED, read_answers, read_class
from autograder.classroom.returns.report.similar import similar_pairs
from autograder.classroom.roster.people import by_name
from autograder.classroom.roster.table import Table, write_table
from autograder.grading.unnamed import unnamed
from autograder.judging.mistakes.misconceptions import lesson_of
from autograder.views.card import prose

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course
    from autograder.classroom.returns.report.class_data import ClassData, Learner


TEMPLATES = Path(__file__).parents[1] / "templates"
MAX_LESSONS = 3  # mistakes that the report begins with
_COLUMNS = ("student", "name", "assignment", "state", "score", "max_score", "chapter", "exercise", "outcome", "points")
_COLUMNS += ("max_points", "misconception")


def write_report(course: Course, assignments: list[str], output: Path, table: Path | None = None) -> None:
    """Write the page, and the table where one is asked for.

    `table`: a CSV file: one line for each exercise of each learner.
    `CourseError` where a file cannot be written.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  (others need no templates)
    from markupsafe import Markup  # noqa: PLC0415

    classes = [read_class(course, name) for name in assignments]
    links = _Links(course, output)
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {"prose": lambda sentence: Markup(prose(sentence)), "duration": spelled}
    environment.globals |= {"RESULTS": RESULTS, "link_of": links.to}
    waiting = [data.assignment for data in classes if data.is_untouched] if len(classes) > 1 else []
    classes = [data for data in classes if data.assignment not in waiting]
    sections = [_section(course, data, links) for data in classes]
    page = environment.get_template("report.html.j2").render(
        course=course.folder.resolve().name,
        sections=sections,
        overview=_overview(classes),
        waiting=waiting,
        written=datetime.now().astimezone(),
    )
    with writing(output):
        write_whole(output, clean(page), 0o600)
    if table is not None:
        rows = [row for data in classes for row in _rows(data)]
        write_table(table, Table(None, list(_COLUMNS), rows))


class _Links:
    """People with addresses of their submissions, as seen from the page."""

    def __init__(self, course: Course, output: Path) -> None:
        self.course, self.place = course, os.path.abspath(Path(output).parent)

    def person(self, data: ClassData, learner: Learner, chapter: str, exercise: str = "") -> dict[str, str]:
        """A learner, and where what they did in an exercise can be looked at."""
        return {"name": learner.name, "link": self.to(data, learner, chapter, exercise)}

    def to(self, data: ClassData, learner: Learner, chapter: str, exercise: str = "") -> str:
        """Of the feedback page, at an exercise, or of the graded notebook where there is no page; else nothing."""
        for step, suffix in (("feedback", "html"), ("autograded", "ipynb")):
            path = self.course.folder_of(step, learner.id, data.assignment) / f"{chapter}.{suffix}"
            if path.exists():
                address = quote(Path(os.path.relpath(path, self.place)).as_posix())
                return f"{address}#{exercise}" if exercise and suffix == "html" else address
        return ""


def _section(course: Course, data: ClassData, links: _Links) -> dict[str, Any]:
    """What the template shows of one assignment beside what it asks of the data itself."""
    here = [learner for learner in data.learners if learner.verdicts]
    known = _misconceptions(data, links)
    return {
        "data": data,
        "states": {state: [each.name for each in data.learners if each.state == state] for state in STATES},
        "mean": statistics.mean(data.scores) if data.scores else None,
        "median": statistics.median(data.scores) if data.scores else None,
        "bars": _histogram(data),
        "hardest": _hardest_first(data),
        "misconceptions": known,
        "teach": [each for each in known if len(each["who"]) > 1][:MAX_LESSONS],
        "unnamed": _unnamed(data, links),
        "stopped": _trouble(data, links, STOPPED),
        "faults": _trouble(data, links, {"fault": "our fault"}),
        "drawn": drawn_with(line for learner in here for line in learner.verdicts.values()),
        "pairs": _pairs(course, data, links),
    }


def _overview(classes: list[ClassData]) -> list[dict[str, Any]]:
    """A row for each learner: the score of each assignment, and their sum."""
    names = {learner.id: learner.name for data in classes for learner in data.learners}
    rows = []
    for student in sorted(names, key=lambda each: by_name(names[each])):
        found = [next((each for each in data.learners if each.id == student), None) for data in classes]
        scores = [learner.score if learner else None for learner in found]
        states = [learner.state if learner else "" for learner in found]
        total = sum(score for score in scores if score is not None)
        rows.append({"name": names[student], "scores": scores, "states": states, "total": total})
    return rows


def _histogram(data: ClassData) -> list[dict[str, Any]]:
    """How many learners have how many percent of the points, ten at a time."""
    percents = [min(99.9, max(0.0, 100 * score / (data.max_score or 1))) for score in data.scores]  # or extra points
    counts = [sum(start <= percent < start + 10 for percent in percents) for start in range(0, 100, 10)]
    most = max(counts) or 1
    return [
        {"label": f"{10 * at} to {10 * at + 10}", "count": number, "width": round(80 * number / most)}
        for at, number in enumerate(counts)
    ]


def _hardest_first(data: ClassData) -> list[dict[str, Any]]:
    """Each exercise that was graded: mean share of its points, how many have all of them, and what became of it."""
    shares, counts = defaultdict(list), defaultdict(Counter)
    for _, _, each, key in data.results():
        counts[each["exercise"]][key] += 1
        if key not in ("fault", "unread", "absent"):  # which say nothing about the exercise
            shares[each["exercise"]].append(each["points"] / (each["max_points"] or 1))
    rows = [
        {"name": name, "share": statistics.mean(shares[name] or [0.0]), "graded": len(shares[name])}
        | {"counts": [(key, found[key]) for key in RESULTS if found[key]], "right": found["right"]}
        for name, found in counts.items()
        if name in data.exercises
    ]
    return sorted(rows, key=lambda row: row["share"])


def _misconceptions(data: ClassData, links: _Links) -> list[dict[str, Any]]:
    """Each mistake that was named, over all exercises in which it was made; what most have comes first.

    An error that an exercise has only because it calls another one is counted there.
    """
    who, where, lessons = defaultdict(dict), defaultdict(list), {}
    for learner, chapter, each in data.found():
        name, exercise = each["misconception"], each["exercise"]
        if not name or each.get("carried_from"):
            continue
        lessons.setdefault(name, _lesson(exercise, name))
        where[name] += [exercise] * (exercise not in where[name])
        who[name].setdefault(learner.id, links.person(data, learner, chapter, exercise))
    ordered = sorted(who.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {"exercises": where[name], "lesson": lessons[name] or name.replace("_", " ")}
        | {"who": list(people.values()), "is_single": len(people) == 1}
        for name, people in ordered
    ]


def _lesson(exercise: str, name: str) -> str:
    try:
        return lesson_of(exercise, name, is_all=False)[0]
    except (KeyError, OSError):
        return ""  # graded before it was renamed


def _unnamed(data: ClassData, links: _Links) -> list[dict[str, Any]]:
    """Mistakes without a name that several learners make: they got the same replies to the same requests."""
    groups = unnamed((learner, chapter, each) for learner, chapter, each in data.found())
    return [
        {"exercise": group.exercise, "said": group.relation or group.message}
        | {"who": [links.person(data, learner, group.chapter, group.exercise) for learner in group.answers]}
        for group in groups
        if len(group.answers) > 1
    ]


def _trouble(data: ClassData, links: _Links, outcomes: dict[str, str]) -> list[dict[str, Any]]:
    """Everybody who has one of these outcomes in an exercise."""
    return [
        links.person(data, learner, chapter, each["exercise"])
        | {"exercise": each["exercise"], "what": outcomes[each["outcome"]]}
        for learner, chapter, each in data.found()
        if each["outcome"] in outcomes
    ]


def _pairs(course: Course, data: ClassData, links: _Links) -> list[dict[str, Any]]:
    """Those whose answers are more alike than the exercises make them."""
    by_id = {learner.id: learner for learner in data.learners}
    known = {name: read_chapter(chapter).exercise(name) for name, chapter in data.exercises.items()}
    expected = {name: (exercise.stub, exercise.source) for name, exercise in known.items()}
    return [
        {
            "degree": pair.degree,
            "exercises": pair.exercises,
            "people": [
                links.person(data, by_id[each], data.exercises[pair.exercises[0]], pair.exercises[0])
                for each in (pair.one, pair.other)
            ],
        }
        for pair in similar_pairs(read_answers(course, data), expected)
    ]


def _rows(data: ClassData) -> Iterator[list[Any]]:
    for learner in data.learners:
        score = "" if learner.score is None else learner.score
        about = [learner.id, learner.name, data.assignment, learner.state, score, data.max_score]
        found = [
            [
                chapter,
                each["exercise"],
                MISSED.get(data.result(learner, chapter, each), each["outcome"]),
                each["points"],
                each["max_points"],
                each["misconception"] or "",
            ]
            for chapter, each in learner.exercises()
        ]
        for row in found or [["", "", "", "", "", ""]]:
            yield [*about, *row]
