"""What a grade is based on, part by part: so that one is drawn anew when a part changes, and can say which."""

from __future__ import annotations

import functools
import hashlib
import os
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.chapters import curriculum
from autograder.classroom.roster.table import csv_text
from autograder.grading.regrade import Change, changes_of, compare
from autograder.judging.mistakes.misconceptions import KINDS_FILE, text_of

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course
    from autograder.classroom.marking.submissions import Submission
    from autograder.classroom.release.restore import Released
    from autograder.grading.record import Line


CHANGES = "changes.csv"  # in the course's folder: points that a later grading has changed
_COLUMNS = ("when", "student", "assignment", "exercise", "before", "now", "worth", "why")
PARTS = {
    "answer": "something else was handed in",
    "tests": "the chapter, its hidden tests or its known mistakes were changed",
    "points": "it is worth something else, or a test cell was changed",
    "secret": "hidden inputs are drawn from another secret",
    "version": "another version of the kit",
    "settings": "nbgrader_config.py was changed",
    "due": "the due date was moved",
    "extension": "an extension was given or taken back",
}

MAX_SECRETS = 4  # that are named


@functools.cache
def kit_version() -> str:
    import importlib.metadata  # noqa: PLC0415  (slow to import)

    return importlib.metadata.version("attention-exercises")


def tests_of(notebooks: dict[str, Released]) -> str:
    """Stands for the chapters, suites and known mistakes of an assignment: `Released` by chapter."""
    digest = hashlib.sha256(text_of(KINDS_FILE).encode())
    for chapter in sorted(notebooks):
        paths = [curriculum.solution_of(chapter)]
        for name in sorted(notebooks[chapter].points):
            paths += [curriculum.suite_of(name), curriculum.misconceptions_of(name)]
        for path in paths:
            digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()[:16]


def points_of(notebooks: dict[str, Released], carry_forward: bool) -> str:
    """Stands for what its cells are worth, and for test cells of the teacher's own."""
    tests = [(chapter, sorted(released.tests().items())) for chapter, released in sorted(notebooks.items())]
    return hashlib.sha256(repr((tests, carry_forward)).encode()).hexdigest()[:16]


def digest_of(folder: Path) -> str:
    """Stands for all the files below a folder; `OSError` where one cannot be read.

    A learner keeps it as a receipt, so nobody may find two submissions with the same: half as long takes 2^32 tries.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode("utf-8", "surrogateescape"))
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
    return digest.hexdigest()[:32]


def state_of(basis: dict[str, str]) -> str:
    """Stands for all of a basis that a grade depends on: a new version alone changes no grade."""
    parts = sorted((name, str(part)) for name, part in basis.items() if name != "version")
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def drawn_with(lines: Iterable[Line]) -> str:
    """Which version of the kit and which secret the lines of an assignment were graded with, as a sentence or none."""
    counts = Counter((line["version"], line["secret"]) for line in lines if "version" in line)
    if not counts:
        return ""
    if len(counts) > MAX_SECRETS:  # as where each learner is asked with inputs of their own
        versions = " or ".join(sorted({version for version, _ in counts}))
        return f"graded with version {versions} and {len(counts)} secrets"
    descriptions = [f"version {version} and secret {secret}" for (version, secret), _ in counts.most_common()]
    if len(descriptions) == 1:
        return f"graded with {descriptions[0]}"
    shares = ", ".join(
        f"{count} with {description}"
        for description, (_, count) in zip(descriptions, counts.most_common(), strict=True)
    )
    return f"of {counts.total()} notebooks graded {shares}"


def is_same_answer(before: Line, now: Line) -> bool:
    """Whether two lines of one notebook are known to be about the same work."""
    digests = [line.get("basis", {}).get("answer") for line in (before, now)]
    return bool(digests[0]) and digests[0] == digests[1]


def why_changed(before: dict[str, str], now: dict[str, str]) -> str:
    parts = [name for name in PARTS if before and str(before.get(name)) != str(now.get(name))]
    if not before:
        return "nothing tells what it was based on before"
    return "; ".join(PARTS[name] for name in parts) or "nothing else has changed: the answer is not the same each time"


def note(folder: Path, submission: Submission) -> None:
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
    from autograder.classroom.gradebook.queries import standings  # noqa: PLC0415  (imports nbgrader)

    why = next((why_changed((old or {}).get("basis") or {}, new["basis"]) for old, new in lines), "")
    changes = [change for old, new in lines for change in changes_of(old, new, why)]
    if (before := submission.standing) and (before.penalty or submission.is_late):
        with course.gradebook() as gradebook:
            now = standings(gradebook, submission.assignment, submission.student)[submission.student]
        worth = sum(new["max_points"] for _, new in lines)
        for what, was, there in (("penalty", before.penalty, now.penalty), ("total", before.counts, now.counts)):
            if abs(before.penalty - now.penalty) > 0.005:
                changes.append(Change(submission.path, what, was, there, worth, why))
    return changes


def scale_points_by_hand(course: Course, submission: Submission, lines: list[tuple[Line | None, Line]]) -> None:
    """Keep the share of what a person gave where an exercise is worth something else now, and tell the teacher."""
    worths = {  # chapter and exercise -> its worth before and now
        (new["chapter"], was["exercise"]): (was["max_points"], result["max_points"])
        for old, new in lines
        for was, result in compare(old, new)
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
