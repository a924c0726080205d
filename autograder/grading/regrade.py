"""Grades answers again after a suite has changed, and says whose score changes before anything is applied."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from autograder.chapters.errors import RecordError
from autograder.chapters.selection import known_chapter
from autograder.grading.many import Piece, existing, grade_answers
from autograder.grading.record import Line, Record, cache_key, has_fault


@dataclass(frozen=True)
class Change:
    """One exercise of one answer whose points are no longer the same."""

    answer: str
    exercise: str
    before: int
    after: int
    why: str


def proposal_path(record_path):
    """Where new verdicts wait until they are applied; an interrupted regrade goes on from there."""
    return record_path.with_name(f"{record_path.name}.proposed")


def propose(
    paths: list[Path],
    chapter_name: str,
    record_path: Path,
    secret: bytes,
    make_executor: Callable,
    console: Console,
) -> tuple[list[Line], list[Change], list[str]]:
    """Grade again whatever the record's suites, secret or answers no longer fit.

    Gives the new lines, to `apply`, in the order of the paths; what they change; and the answers over which the grader
    failed: points that a fault of ours cost are not proposed, and everybody else's are.
    """
    if not record_path.exists():
        raise RecordError(f"{record_path} does not exist: attn grade makes a record")
    proposal, chapter = proposal_path(record_path), known_chapter(chapter_name)
    with Record(record_path) as record:
        held, before = record.held(), record.latest(chapter_name)

    def is_held(path: Path) -> bool:
        return (str(path), cache_key(Piece(str(path), chapter_name).read()[0], chapter, secret)) in held

    # Read once: a file that changes from here on is proposed as it was graded.
    changed = [path for path in existing(paths) if not is_held(path)]
    failed = grade_answers(changed, chapter_name, proposal, secret, make_executor, console).failed
    with Record(proposal) as record:
        after = record.latest(chapter_name)
    failed = {str(path) for path in changed if str(path) in failed or has_fault(after[str(path)])}
    lines = [after[str(path)] for path in changed if str(path) not in failed]
    if not lines:
        proposal.unlink()
    return lines, [change for line in lines for change in _changes(before.get(line["answer"]), line)], sorted(failed)


def apply(record_path, lines):
    """Add proposed lines to the record; the last line of an answer counts."""
    with Record(record_path) as record:
        record.append(*lines)
    proposal_path(record_path).unlink(missing_ok=True)


def _changes(before, after):
    if before is None:
        return
    old = {exercise["exercise"]: exercise["points"] for exercise in before["exercises"]}
    for exercise in after["exercises"]:
        name, points = exercise["exercise"], exercise["points"]
        if points != old.get(name, 0):
            why = exercise["message"] or "every test passes now"
            yield Change(after["answer"], name, old.get(name, 0), points, why)
