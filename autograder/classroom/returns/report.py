"""The teacher's report: a self-contained page, a CSV table, and pairs of similar answers.

A pair is not proof of copying. A run is six consecutive syntax-tree nodes. Runs in the stub, the solution or many
answers are not compared.
"""

import functools
import math
import os
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.api import find_current_name, group_by_fingerprint, hash_runs, read_lesson, read_shared
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import write_output
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import format_duration
from autograder.classroom.returns import class_data
from autograder.classroom.returns.class_data import Author, ClassData, Learner
from autograder.classroom.returns.pages import load_template
from autograder.classroom.roster.counted import read_groups
from autograder.classroom.roster.table import write_rows

MAX_LESSONS = 3  # number of mistakes that are listed at the top of the report
MIN_RARE_RUNS = 24  # an answer with fewer rare runs is not compared
MIN_DEGREE = 0.5  # a pair that is less similar is not shown
MAX_PAIRS = 25
_COLUMNS = ("student", "name", "assignment", "state", "score", "max_score", "chapter", "exercise", "outcome", "points")
_COLUMNS += ("max_points", "misconception")


@dataclass(frozen=True)
class SimilarAnswers:
    one: Any
    other: Any
    # Share of the rare runs that occur in both answers, from 0 to 1. Rarer runs have more weight.
    degree: float
    size: int  # number of rare runs that occur in both
    shared: dict[str, set[int]]  # exercise -> rare runs that occur in both; the most similar exercise first


def write_report(
    course: Course, assignments: list[str], output: Path, table: Path | None = None, last_course: Course | None = None
) -> list[tuple[ClassData, list[SimilarAnswers]]]:
    """Write the report, and a CSV table if `table` is given. Return each class with its pairs of similar answers."""
    classes = [class_data.read_class(course, name) for name in assignments]
    template = load_template("report", duration=format_duration)
    link_of = functools.partial(_make_link, course, output)
    template.globals.update(RESULTS=class_data.RESULTS, STOPPED=class_data.STOPPED, link_of=link_of)
    sections = [_make_section(course, data, last_course) for data in classes]
    page = template.render(
        course=course.folder.resolve().name,
        sections=sections,
        written=course.plan.format_time(datetime.now(timezone.utc), "%d %B %Y at %H:%M"),
    )
    write_output(output, clean(page))
    if table is not None:
        write_rows(table, [_COLUMNS, *(row for data in classes for row in _make_csv_rows(data))])
    return [(section["data"], section["pairs"]) for section in sections]


def _make_link(course: Course, output: Path, data: ClassData, target: tuple[Learner, str, str]) -> str:
    """Return the relative link to a feedback page, or "" if it is missing."""
    learner, chapter, exercise = target
    path = course.folder_of("feedback", learner.submitter, data.assignment) / f"{chapter}.html"
    if not path.exists():
        return ""
    address = quote(Path(os.path.relpath(path, output.absolute().parent)).as_posix())
    return f"{address}#{exercise}" if exercise else address


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


def find_similar_pairs(
    answers: dict, expected: dict, are_compared: Callable[[Any, Any], bool] = lambda one, other: True
) -> list[SimilarAnswers]:
    """Return similar pairs, the closest first. `answers`: author -> exercise -> runs. `expected`: sources to ignore."""
    expected_runs = {name: set().union(*(hash_runs(text, name) for text in texts)) for name, texts in expected.items()}
    learners_with = defaultdict(set)
    for learner, exercises in answers.items():
        for exercise, answer_runs in exercises.items():
            for run in answer_runs - expected_runs.get(exercise, set()):
                learners_with[exercise, run].add(learner)
    # A run is not rare if more learners than this have it: they may have had the same idea independently.
    common = max(4, len(answers) // 8)
    # A run that only one learner has gets the same weight as one that two learners have.
    rare = {run: max(2, len(authors)) for run, authors in learners_with.items() if len(authors) <= common}
    weights = {run: math.log((len(answers) + 2) / count) for run, count in rare.items()}
    own_weights: dict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    shared_weights: dict[tuple, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for run, weight in weights.items():
        for learner in learners_with[run]:
            own_weights[learner] += weight
            counts[learner] += 1
        for pair in combinations(sorted(learners_with[run]), 2):
            shared_weights[pair][run[0]] += weight
    pairs = []
    for (one, other), by_exercise in shared_weights.items():
        total = sum(by_exercise.values())
        degree = total / (own_weights[one] + own_weights[other] - total)
        is_similar = degree >= MIN_DEGREE and min(counts[one], counts[other]) >= MIN_RARE_RUNS
        if is_similar and are_compared(one, other):
            top = sorted(by_exercise, key=by_exercise.__getitem__, reverse=True)[:3]
            both_have = {name: answers[one][name] & answers[other][name] for name in by_exercise}
            rare_runs = {name: {run for run in both_have[name] if (name, run) in rare} for name in by_exercise}
            size = sum(map(len, rare_runs.values()))
            pairs.append(SimilarAnswers(one, other, degree, size, {name: rare_runs[name] for name in top}))
    return sorted(pairs, key=lambda pair: (-pair.degree, pair.one, pair.other))[:MAX_PAIRS]


def write_side_by_side(path: Path, classes: list[tuple[ClassData, list[SimilarAnswers]]]) -> None:
    assignments = [(data.assignment, [_make_view(data, pair) for pair in pairs]) for data, pairs in classes]
    write_output(path, load_template("similar").render(assignments=assignments))


def _make_view(data: ClassData, pair: SimilarAnswers) -> dict[str, Any]:
    exercises = [
        {
            "name": name,
            "pieces": len(runs),
            "columns": [_read_lines(author, data.exercises[name], name, runs) for author in (pair.one, pair.other)],
        }
        for name, runs in pair.shared.items()
    ]
    return {"pair": pair, "exercises": exercises}


def _read_lines(author: Author, chapter: str, exercise: str, runs: set[int]) -> list[tuple[str, bool]]:
    """Return (line, whether it contains a shared run) of each line of an answer."""
    with suppress(UnreadableAnswer):
        source, marked_lines = read_shared(author.folder / f"{chapter}.ipynb", exercise, runs)
        return [(line, number in marked_lines) for number, line in enumerate(source.splitlines(), 1)]
    return []
