"""The evidence for a learner's points in an appeal: each test with its call, and the expected and returned values.

Records contain only sentences, so the submission is judged again with the same secret to get the values.
"""

import functools
import sys
from typing import Any

import numpy as np

from autograder.api import ExerciseVerdict, RecordLine, Tensor, TestVerdict, format_call_with, round_points, to_card
from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import format_timestamp
from autograder.classroom.marking.judge import judge_notebook
from autograder.classroom.marking.submissions import find_submissions
from autograder.classroom.marking.verdicts import read_verdicts
from autograder.classroom.returns.feedback_page import view_notebooks
from autograder.classroom.returns.pages import load_template
from autograder.classroom.roster.counted import find_submitters
from autograder.classroom.roster.people import People

MAX_VALUE_CHARACTERS = 20_000
_AGREEMENT = {True: "the points match the record", False: "the points do not match the record"}
_TOTALS = {"counts": "score", "of": "max_score", "penalty": "penalty"}
# Keys of records that the evidence repeats.
_NOTEBOOK_KEYS = ("chapter", "timestamp", "version", "secret", "points", "max_points", "problem", "notes")
_EXERCISE_KEYS = ("exercise", "outcome", "points", "max_points", "message", "line")

Evidence = dict[str, Any]  # docs/records.md describes it


def gather_evidence(
    course: Course, student: str, assignment: str, exercise: str | None = None, with_cards: bool = False
) -> Evidence:
    """Return the evidence on a submission, or on one exercise in it. Raises `CourseError` if it does not exist."""
    submitter = find_submitters(course, assignment).get(student)
    if submitter is None:
        raise CourseError(f"{student} has not submitted anything for {assignment}")
    course.selected_students = frozenset([submitter])
    (submission,) = find_submissions(course, [assignment])
    exercise_names: list[str] = []
    notebooks: list[Evidence] = []
    for place in submission.places:
        line_on_record = read_verdicts(course.folder, place)
        result = judge_notebook(course, place, submission.notebooks[place.chapter])
        exercise_names += [verdict.exercise for verdict in result.verdicts]
        if verdicts := [verdict for verdict in result.verdicts if exercise in (None, verdict.exercise)]:
            line = submission.complete(result.line)
            notebook: Evidence = {key: line[key] for key in _NOTEBOOK_KEYS}
            notebook["as_graded"] = _read_points(line_on_record) == _read_points(result.line)
            notebook["timestamp"] = format_timestamp(place.timestamp, course.plan)
            notebooks.append(notebook | {"exercises": list(map(_describe_exercise, verdicts))})
            if with_cards:
                notebooks[-1]["cards"] = {verdict.exercise: to_card(verdict) for verdict in verdicts}
    if not notebooks:
        raise CourseError(f"{assignment} does not ask {exercise}: it asks {', '.join(exercise_names)}")
    evidence = {"student": student, "author": submitter, "assignment": assignment, "answer": submission.digest}
    evidence["name"] = person.name if (person := People(course).by_id.get(student)) else ""
    totals = _gather_totals(course, submitter, assignment)
    return evidence | {"problems": submission.problems, "notebooks": notebooks, **totals}


def _gather_totals(course: Course, submitter: str, assignment: str) -> Evidence:
    """Return the part of the evidence with the total, the penalty, and the manual scores and comments."""
    views = view_notebooks(course, assignment, submitter, submitter)
    by_hand = [
        {"exercise": card.name, "points": card.score, "max_points": card.max_score, "comments": card.comments}
        | {"waived": card.waived}
        for view in views
        for card in view["cards"]
        if card.auto is not None or card.comments or card.waived or card.kind != "exercise"
    ]
    totals = {name: round_points(sum(view[key] for view in views)) for name, key in _TOTALS.items()}
    return totals | {"by_hand": by_hand, "waiting": [name for view in views for name in view["waiting"]]}


def _read_points(line: RecordLine | None) -> dict[str, float]:
    return {exercise["exercise"]: exercise["points"] for exercise in line["exercises"]} if line else {}


def _describe_exercise(verdict: ExerciseVerdict) -> Evidence:
    record = verdict.to_record()
    return {key: record[key] for key in _EXERCISE_KEYS} | {"tests": list(map(_describe_test, verdict.tests))}


def _describe_test(test: TestVerdict) -> Evidence:
    format_call = functools.partial(format_call_with, show_value=_format_value)
    values = (test.mismatch.expected, test.mismatch.got) if test.mismatch else ()
    has_values = any(value is not None for value in values)
    expected, result = map(_format_value, values) if has_values else (None, None)
    return {
        **test.to_record(),
        "message": clean(" ".join(filter(None, (test.reason, test.finding)))),
        "max_points": round_points(test.max_points),
        "call": test.shown_call.format_with(format_call) if test.shown_call else test.call,
        "expected": expected,
        "given": result,
    }


def _format_value(value: object) -> str:
    """Return a value as text with all its elements and digits, up to a maximum length."""
    if isinstance(value, Tensor):
        return f"tensor({_format_value(value.array)})"
    if isinstance(value, np.ndarray):
        # Formatting millions of elements would take minutes.
        elements = value if value.size <= MAX_VALUE_CHARACTERS else value.ravel()[:MAX_VALUE_CHARACTERS]
        text = np.array2string(elements, separator=", ", threshold=sys.maxsize, floatmode="unique", max_line_width=110)
        size = f"{value.size:,} numbers"
    else:
        text = clean(repr(value.item() if isinstance(value, np.generic) else value))
        size = f"{len(text):,} characters"
    return text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[:MAX_VALUE_CHARACTERS]} ... ({size})"


def render(evidence: Evidence, kind: str) -> str:
    return load_template("evidence", kind).render(evidence, AGREEMENT=_AGREEMENT)
