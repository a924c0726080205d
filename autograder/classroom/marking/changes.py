"""What a later grading has changed: told to the teacher, and kept."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import standings
from autograder.classroom.marking.basis import why_changed
from autograder.classroom.marking.submissions import Submission
from autograder.classroom.marking.verdicts import Change
from autograder.classroom.roster.table import csv_text
from autograder.grading.record import Line
from autograder.judging.verdict.verdict import ExerciseRecord

CHANGES = "changes.csv"  # in the course's folder: points that a later grading has changed
_COLUMNS = ("when", "student", "assignment", "exercise", "before", "now", "worth", "why")


def _pairs(before: Line | None, now: Line) -> Iterator[tuple[ExerciseRecord, ExerciseRecord]]:
    """Yield each exercise as the earlier line has it, and as the new one does.

    Where we failed before, or the exercise was not asked, nothing was known.
    """
    old = {each["exercise"]: each for each in (before or now)["exercises"] if each["outcome"] != "fault"}
    return ((old[new["exercise"]], new) for new in now["exercises"] if new["exercise"] in old)


def _changes_of(before: Line | None, now: Line, why: str) -> Iterator[Change]:
    """Yield what a new line changes; nothing of less is nothing still."""
    for was, new in _pairs(before, now):
        if was["points"] != new["points"] or (new["points"] and was["max_points"] != new["max_points"]):
            yield Change(new["exercise"], was["points"], new["points"], new["max_points"], why)


def append_changes(folder: Path, submission: Submission) -> None:
    path, when = folder / CHANGES, datetime.now().astimezone().isoformat(timespec="seconds")
    rows = [
        [when, submission.student, submission.assignment, each.exercise, each.before, each.now, each.worth, each.why]
        for each in submission.changes
    ]
    header = [list(_COLUMNS)] if not path.exists() else []
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(csv_text(header + rows))


def find_changes(course: Course, submission: Submission, lines: list[tuple[Line | None, Line]]) -> list[Change]:
    """What a grading changed: points of exercises, and, where lateness takes another number, penalty and total."""
    why = next((why_changed((old or {}).get("basis") or {}, new["basis"]) for old, new in lines), "")
    changes = [change for old, new in lines for change in _changes_of(old, new, why)]
    if (before := submission.standing) and (before.penalty or submission.is_late):
        with course.gradebook() as gradebook:
            now = standings(gradebook, submission.assignment, submission.student)[submission.student]
        if abs(before.penalty - now.penalty) > 0.005:
            worth = sum(new["max_points"] for _, new in lines)
            changes.append(Change("penalty", before.penalty, now.penalty, worth, why))
            changes.append(Change("total", before.counts, now.counts, worth, why))
    return changes


def scale_points_by_hand(course: Course, submission: Submission, lines: list[tuple[Line | None, Line]]) -> None:
    """Keep the share of what a person gave where an exercise is worth something else now, and tell the teacher."""
    worths = {  # chapter and exercise -> its worth before and now
        (new["chapter"], was["exercise"]): (was["max_points"], result["max_points"])
        for old, new in lines
        for was, result in _pairs(old, new)
        if was["max_points"] not in (0, result["max_points"])
    }
    if not worths:
        return
    with course.gradebook() as gradebook:
        for (chapter, exercise), (was, now) in worths.items():
            grade: Any = gradebook.find_grade(exercise, chapter, submission.assignment, submission.student)
            if grade.manual_score is not None:
                score = grade.manual_score
                grade.manual_score = round(score * now / was, 2)
                sentence = (
                    f"{exercise}: {score:g} of {was:g} points given by hand are {grade.manual_score:g} of {now:g} now"
                )
                submission.problems.append(f"{chapter}: {sentence}: look at them in Formgrader")
        gradebook.db.commit()
