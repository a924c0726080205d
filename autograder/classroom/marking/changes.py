"""Points that a later grading has changed: of whom, in which exercise, from what to what, and why."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.roster.table import csv_text

if TYPE_CHECKING:
    from autograder.classroom.marking.submissions import Submission


CHANGES = "changes.csv"  # in the course's folder: all of them
_COLUMNS = ("when", "student", "assignment", "exercise", "before", "now", "worth", "why")


def note(folder: Path, submission: Submission) -> None:
    """Add the changes of a submission to the course's list of them."""
    path, when = folder / CHANGES, datetime.now().astimezone().isoformat(timespec="seconds")
    rows = [
        [when, submission.student, submission.assignment, each.exercise, each.before, each.now, each.worth, each.why]
        for each in submission.changes
    ]
    header = [list(_COLUMNS)] if not path.exists() else []
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(csv_text(header + rows))
