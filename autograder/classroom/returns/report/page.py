"""The teacher's report: one page that stands alone, and the same as CSV."""

from __future__ import annotations

import os
import statistics
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from autograder.chapters.chapter import read_chapter
from autograder.chapters.files import write_whole, writing
from autograder.chapters.text import clean
from autograder.classroom.course.times import spelled
from autograder.classroom.marking.basis import drawn_with
from autograder.classroom.returns.report.class_data import MISSED, RESULTS, STOPPED, read_answers, read_class, result_of
from autograder.classroom.returns.report.similar import similar_pairs
from autograder.classroom.roster.people import by_name
from autograder.classroom.roster.table import Table, write_table
from autograder.grading.unnamed import unnamed
from autograder.judging.run.kit_code import lesson_of
from autograder.views.card import prose

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


TEMPLATES = Path(__file__).parents[1] / "templates"
TAUGHT = 3  # mistakes that the report begins with
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
    environment.filters["prose"] = lambda sentence: Markup(prose(sentence))
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
        write_table(table, Table(None, _COLUMNS, rows))


class _Links:
    """Addresses of submissions, as seen from the page."""

    def __init__(self, course, output):
        self.course, self.place = course, os.path.abspath(Path(output).parent)

    def __call__(self, data, learner, chapter, exercise=""):
        """Of the feedback page, at an exercise, or of the graded notebook where there is no page; else nothing."""
        for step, suffix in (("feedback", "html"), ("autograded", "ipynb")):
            path = self.course.folder_of(step, learner.id, data.assignment) / f"{chapter}.{suffix}"
            if path.exists():
                address = quote(Path(os.path.relpath(path, self.place)).as_posix())
                return f"{address}#{exercise}" if exercise and suffix == "html" else address
        return ""


def _section(course, data, links):
    """All that the template shows of one assignment."""
    by_id = {learner.id: learner for learner in data.learners}
    here = [learner for learner in data.learners if learner.verdicts]
    pairs = similar_pairs(read_answers(course, data), _expected(data))
    known, order = _misconceptions(data, links), _hardest_first(data)
    seen = {key for _, _, _, key in data.results()}
    return {
        "name": data.assignment,
        "max_score": data.max_score,
        "learners": [_learner(data, learner, links) for learner in data.learners],
        "graded": sum(learner.is_graded for learner in here),
        "states": [
            (state, [each.name for each in data.learners if each.state == state])
            for state in ("in time", "late", "not graded", "missing")
        ],
        "mean": statistics.mean(data.scores) if data.scores else None,
        "median": statistics.median(data.scores) if data.scores else None,
        "scores": _histogram(data) if data.scores else None,
        "hardest": order,
        "key": [(key, word) for key, word in RESULTS.items() if key in seen],
        "misconceptions": known,
        "teach": [each for each in known if len(each["who"]) > 1][:TAUGHT],
        "unnamed": _unnamed(data, links),
        "stopped": _trouble(data, links, STOPPED),
        "faults": _trouble(data, links, {"fault": "our fault"}),
        "problems": [
            {"name": learner.name, "chapter": chapter, "said": line["problem"]}
            for learner in here
            for chapter, line in learner.verdicts.items()
            if line.get("problem")
        ],
        "drawn": drawn_with(line for learner in here for line in learner.verdicts.values()),
        "pairs": [_pair(data, by_id, pair, links) for pair in pairs],
    }


def _overview(classes):
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


def _histogram(data):
    """How many learners have how many percent of the points, ten at a time."""
    percents = [min(99.9, max(0.0, 100 * score / (data.max_score or 1))) for score in data.scores]  # or extra points
    counts = [sum(start <= percent < start + 10 for percent in percents) for start in range(0, 100, 10)]
    most = max(counts)
    return [
        {"label": f"{10 * at} to {10 * at + 10}", "count": number, "width": round(80 * number / most)}
        for at, number in enumerate(counts)
    ]


def _hardest_first(data):
    """Each exercise that was graded: mean share of its points, how many have all of them, and what became of it."""
    shares, counts = defaultdict(list), defaultdict(Counter)
    for _, _, each, key in data.results():
        counts[each["exercise"]][key] += 1
        if key not in ("fault", "unread", "absent"):  # which say nothing about the exercise
            shares[each["exercise"]].append(each["points"] / (each["max_points"] or 1))
    rows = []
    for name, found in counts.items():
        if name in data.exercises:
            got = shares[name] or [0.0]
            number = [(key, found[key]) for key in RESULTS if found[key]]
            said = ", ".join(f"{count} {RESULTS[key]}" for key, count in number)
            rows.append(
                {"name": name, "share": statistics.mean(got), "right": found["right"], "graded": len(shares[name])}
            )
            rows[-1] |= {"counts": number, "said": f"{name}: {said}"}
    return sorted(rows, key=lambda row: row["share"])


def _misconceptions(data, links):
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
        person = {"name": learner.name, "link": links(data, learner, chapter, exercise)}
        who[name].setdefault(learner.id, person)
    ordered = sorted(who.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {"exercises": where[name], "name": name.replace("_", " "), "lesson": lessons[name]}
        | {"who": list(people.values()), "is_single": len(people) == 1}
        for name, people in ordered
    ]


def _lesson(exercise, name):
    try:
        return lesson_of(exercise, name, is_all=False)[0]
    except (KeyError, OSError):
        return ""  # graded before it was renamed


def _unnamed(data, links):
    """Mistakes without a name that several learners make: they got the same replies to the same requests."""
    groups = unnamed((learner, chapter, each) for learner, chapter, each in data.found())
    return [
        {"exercise": group.exercise, "said": group.relation or group.message}
        | {
            "who": [
                {"name": learner.name, "link": links(data, learner, group.chapter, group.exercise)}
                for learner in group.answers
            ]
        }
        for group in groups
        if len(group.answers) > 1
    ]


def _trouble(data, links, outcomes):
    """Everybody who has one of these outcomes in an exercise."""
    return [
        {"name": learner.name, "exercise": each["exercise"], "what": outcomes[each["outcome"]]}
        | {"link": links(data, learner, chapter, each["exercise"])}
        for learner, chapter, each in data.found()
        if each["outcome"] in outcomes
    ]


def _expected(data):
    chapters = {name: read_chapter(chapter).exercise(name) for name, chapter in data.exercises.items()}
    return {name: (exercise.stub, exercise.source) for name, exercise in chapters.items()}


def _pair(data, by_id, pair, links):
    people = [
        {
            "name": by_id[each].name,
            "link": links(data, by_id[each], data.exercises[pair.exercises[0]], pair.exercises[0]),
        }
        for each in (pair.one, pair.other)
    ]
    return {"people": people, "degree": pair.degree, "exercises": pair.exercises}


def _learner(data, learner, links):
    pages = {chapter: links(data, learner, chapter) for chapter in learner.verdicts}
    results = [result_of(each) for _, each in learner.exercises()]
    return {
        "name": learner.name,
        "score": learner.score,
        "state": learner.state,
        "late": spelled(learner.late),
        "right": results.count("right"),
        "total": len(results),
        "pages": pages,
    }


def _rows(data):
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
