"""Grades answers again after a suite has changed, and says whose score changes before anything is applied."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import RecordError
from autograder.chapters.selection import known_chapter
from autograder.grading.many import Piece, Settings, existing, grade_answers
from autograder.grading.record import Line, Record, cache_key, has_fault
from autograder.judging.verdict.verdict import ExerciseRecord


@dataclass(frozen=True)
class Change:
    """One exercise of one answer whose points are no longer the same, and why."""

    answer: str
    exercise: str
    before: float
    now: float
    worth: float
    why: str

    def __str__(self) -> str:
        return f"{self.exercise} {self.before:g} -> {self.now:g} of {self.worth:g} ({self.why})"


def compare(before: Line | None, now: Line) -> Iterator[tuple[ExerciseRecord, ExerciseRecord]]:
    """Each exercise as an answer's earlier line has it, and as its new one does.

    Where we failed before, or the exercise was not asked, nothing was known.
    """
    old = {
        exercise["exercise"]: exercise for exercise in (before or now)["exercises"] if exercise["outcome"] != "fault"
    }
    return ((old[new["exercise"]], new) for new in now["exercises"] if new["exercise"] in old)


def changes_of(before: Line | None, now: Line, why: str = "") -> Iterator[Change]:
    """What an answer's new line changes; where no reason is given, what is wrong with the answer is it.

    Nothing of less is nothing still.
    """
    for was, new in compare(before, now):
        if was["points"] != new["points"] or (new["points"] and was["max_points"] != new["max_points"]):
            because = why or new["message"] or "every test passes now"
            yield Change(now["answer"], new["exercise"], was["points"], new["points"], new["max_points"], because)


def proposal_path(record_path: Path) -> Path:
    """Where new verdicts wait until they are applied; an interrupted regrade goes on from there."""
    return record_path.with_name(f"{record_path.name}.proposed")


def propose(
    paths: list[Path], chapter_name: str, record_path: Path, settings: Settings
) -> tuple[list[Line], list[Change], list[str]]:
    """Grade again whatever the record's suites, secret or answers no longer fit.

    Gives the new lines, to `apply`, in the order of the paths; what they change; and the answers over which the grader
    failed: points that a fault of ours cost are not proposed, and everybody else's are.
    """
    if not record_path.exists():
        raise RecordError(f"{record_path} does not exist: attn grade makes a record")
    proposal, chapter = proposal_path(record_path), known_chapter(chapter_name)
    with Record(record_path) as record:
        outcomes, before = record.outcomes_by_key(), record.latest(chapter_name)

    def is_held(path: Path) -> bool:
        return (str(path), cache_key(Piece(str(path), chapter_name).read()[0], chapter, settings.secret)) in outcomes

    # Read once: a file that changes from here on is proposed as it was graded.
    changed = [path for path in existing(paths) if not is_held(path)]
    failed = grade_answers(changed, chapter_name, proposal, settings).failed
    with Record(proposal) as record:
        after = record.latest(chapter_name)
    failing = {str(path) for path in changed if str(path) in failed or has_fault(after[str(path)])}
    lines = [after[str(path)] for path in changed if str(path) not in failing]
    if not lines:
        proposal.unlink()
    changes = [change for line in lines for change in changes_of(before.get(line["answer"]), line)]
    return lines, changes, sorted(failing)


def apply(record_path: Path, lines: list[Line]) -> None:
    """Add proposed lines to the record; the last line of an answer counts."""
    with Record(record_path) as record:
        record.append(*lines)
    proposal_path(record_path).unlink(missing_ok=True)
