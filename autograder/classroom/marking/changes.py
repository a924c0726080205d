"""Points that a later grading has changed: of whom, in which exercise, from what to what, and why."""

import os
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from datetime import datetime

from autograder.classroom.marking.basis import why_changed
from autograder.classroom.roster.table import csv_text

CHANGES = "changes.csv"  # in the course's folder: all of them


@dataclass(frozen=True)
class Change:
    """One exercise of one learner whose points are no longer the same, and why."""

    student: str
    assignment: str
    exercise: str
    before: float
    now: float
    worth: float
    why: str

    def __str__(self):
        points = f"{self.before:g} -> {self.now:g} of {self.worth:g}"
        return f"{self.student}, {self.assignment}: {self.exercise} {points} ({self.why})"


def changes_of(before, now) -> Iterator[Change]:
    """What a notebook's new line says otherwise than its line before; both as in docs/records.md."""
    if not before:
        return
    why = why_changed(before.get("basis") or {}, now["basis"])
    old = {each["exercise"]: each for each in before["exercises"] if each["outcome"] != "fault"}
    for each in now["exercises"]:
        was = old.get(each["exercise"])
        if was and (was["points"], was["max_points"]) != (each["points"], each["max_points"]):
            about = now["student"], now["assignment"], each["exercise"]
            yield Change(*about, was["points"], each["points"], each["max_points"], why)


def note(folder, found):
    """Add changes to the course's list of them."""
    path = folder / CHANGES
    rows = [[datetime.now().astimezone().isoformat(timespec="seconds"), *astuple(each)] for each in found]
    header = [["when", *(each.name for each in fields(Change))]] if not path.exists() else []
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(csv_text(header + rows))
