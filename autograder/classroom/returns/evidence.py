"""The evidence for a learner's points, for an appeal: each test with its full call, expected and returned value.

A record only contains sentences. The full values come from judging the submission again, with the same secret.
"""

import functools
import sys
from datetime import datetime
from typing import Any

import numpy as np

from autograder.api import ExerciseVerdict, Line, Tensor, TestVerdict, card, format_call_with, round_points
from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import local_time
from autograder.classroom.marking.judge import judge_notebook
from autograder.classroom.marking.submissions import find_submissions
from autograder.classroom.marking.verdicts import earlier_verdicts, read_verdicts
from autograder.classroom.returns.feedback.page import shown_of
from autograder.classroom.returns.pages import template
from autograder.classroom.roster.groups import authors
from autograder.classroom.roster.people import People

MAX_CHARACTERS = 20_000  # of one value: an answer may return anything
_AGREEMENT = {True: "the points are those that were given", False: "the points are not those on record"}
_COUNTS = {"counts": "score", "of": "worth", "penalty": "penalty"}
_ABOUT = ("chapter", "timestamp", "version", "secret", "points", "max_points", "problem", "notes")

Evidence = dict[str, Any]  # docs/records.md describes it


def gather_evidence(
    course: Course, student: str, assignment: str, exercise: str | None = None, with_cards: bool = False
) -> Evidence:
    """Return everything known about a submission, or about one exercise in it."""
    author, plan = authors(course, assignment).get(student), course.plan
    if author is None:
        raise CourseError(f"{student} has not submitted anything for {assignment}")
    course.only = frozenset([author])
    (submission,) = find_submissions(course, [assignment])
    exercise_names: list[str] = []
    notebooks: list[Evidence] = []
    for place in submission.places(course.folder):
        line_on_record = read_verdicts(course.folder, place)
        judged = judge_notebook(course, place, submission.notebooks[place.chapter])
        exercise_names += [verdict.exercise for verdict in judged.verdicts]
        if verdicts := [verdict for verdict in judged.verdicts if exercise in (None, verdict.exercise)]:
            line = submission.complete(judged.line)
            notebook: Evidence = {key: line[key] for key in _ABOUT}
            notebook["as_graded"] = _points(line_on_record) == _points(judged.line)
            notebook["timestamp"] = local_time(place.timestamp, plan)
            earlier = [
                {"until": plan.shown(datetime.strptime(end, "%Y-%m-%dT%H-%M-%S%z")), "points": line["points"]}
                for end, line in earlier_verdicts(course.folder, place)
            ]
            notebooks.append(notebook | {"earlier": earlier, "exercises": list(map(_exercise, verdicts))})
            if with_cards:
                notebooks[-1]["cards"] = {verdict.exercise: card(verdict) for verdict in verdicts}
    if not notebooks:
        raise CourseError(f"{assignment} does not ask {exercise}: it asks {', '.join(exercise_names)}")
    about = {"student": student, "author": author, "assignment": assignment, "answer": submission.digest}
    about["name"] = person.name if (person := People(course).by_id.get(student)) else ""
    return about | {"problems": submission.problems, "notebooks": notebooks, **_standing(course, author, assignment)}


def _standing(course: Course, author: str, assignment: str) -> Evidence:
    """Return what counts in the end: the total, what lateness takes, and points and comments of a person."""
    shown = shown_of(course, assignment, author, author)
    by_hand = [
        {"exercise": card.name, "points": card.score, "max_points": card.max_score, "comments": card.comments}
        | {"waived": card.waived}
        for notebook in shown
        for card in notebook["cards"]
        if card.auto is not None or card.comments or card.waived or card.kind != "exercise"
    ]
    counts = {name: round_points(sum(each[key] for each in shown)) for name, key in _COUNTS.items()}
    return counts | {"by_hand": by_hand, "waiting": [name for notebook in shown for name in notebook["waiting"]]}


def _points(line: Line | None) -> dict[str, float]:
    return {exercise["exercise"]: exercise["points"] for exercise in line["exercises"]} if line else {}


def _exercise(verdict: ExerciseVerdict) -> Evidence:
    return {
        "exercise": verdict.exercise,
        "outcome": verdict.outcome,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "message": verdict.message,
        "line": verdict.change.line if verdict.change else None,
        "tests": [_test(test) for test in verdict.tests],
    }


def _test(test: TestVerdict) -> Evidence:
    call_in_full = functools.partial(format_call_with, show_value=_in_full)
    values = (test.mismatch.expected, test.mismatch.got) if test.mismatch else ()
    shows_values = any(value is not None for value in values)  # otherwise the sentence is enough
    expected, result = map(_in_full, values) if shows_values else (None, None)
    return {
        **test.to_record(),
        "message": clean(" ".join(filter(None, (test.reason, test.finding)))),
        "max_points": round_points(test.max_points),
        "call": test.asked.format_with(call_in_full) if test.asked else test.call,
        "expected": expected,
        "given": result,
    }


def _in_full(value: object) -> str:
    """Return a value with all its elements and digits."""
    if isinstance(value, Tensor):
        return f"tensor({_in_full(value.array)})"
    if isinstance(value, np.ndarray):
        few = value if value.size <= MAX_CHARACTERS else value.ravel()[:MAX_CHARACTERS]  # millions would take minutes
        text = np.array2string(few, separator=", ", threshold=sys.maxsize, floatmode="unique", max_line_width=110)
        size = f"{value.size:,} numbers"
    else:
        text = clean(repr(value.item() if isinstance(value, np.generic) else value))
        size = f"{len(text):,} characters"
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]} ... ({size})"


def render(evidence: Evidence, kind: str) -> str:
    return template("evidence", kind).render(evidence, AGREEMENT=_AGREEMENT)
