"""Grades answers again after a suite has changed, and says whose score changes before anything is applied."""

from pathlib import Path

from autograder.chapters.errors import RecordError
from autograder.chapters.selection import known_chapter
from autograder.grading.changes import Change, changes_of
from autograder.grading.many import Piece, Settings, existing, grade_answers
from autograder.grading.record import Line, Record, cache_key, has_fault


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
        held, before = record.held(), record.latest(chapter_name)

    def is_held(path: Path) -> bool:
        return (str(path), cache_key(Piece(str(path), chapter_name).read()[0], chapter, settings.secret)) in held

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
