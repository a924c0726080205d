"""Grades answers again after a suite has changed, and says whose score changes before anything is applied."""

from dataclasses import dataclass

from autograder.chapters.errors import KitFault, RecordError
from autograder.chapters.selection import known_chapter
from autograder.grading.many import Piece, grade_answers
from autograder.grading.record import Record, cache_key, has_fault


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


def propose(paths, chapter_name, record_path, secret, make_executor, console):
    """Grade again whatever the record's suites, secret or answers no longer fit.

    Returns
    -------
    lines : list of dict
        What is new, to `apply`, in the order of the paths.
    changes : list of Change
        In the order of the answers and their exercises.

    Raises
    ------
    RecordError
        Where there is no record.
    KitFault
        Where the grader failed on an answer: points that a fault of ours cost are not proposed.
    """
    if not record_path.exists():
        raise RecordError(f"{record_path} does not exist: attn grade makes a record")
    proposal = proposal_path(record_path)
    with Record(record_path) as record:
        held, before = record.held(), record.latest(chapter_name)
    grade_answers(paths, chapter_name, proposal, secret, make_executor, console, held)
    with Record(proposal) as record:
        after = record.latest(chapter_name)
    chapter, lines = known_chapter(chapter_name), []
    for path in dict.fromkeys(paths):
        key = cache_key(Piece(str(path), chapter_name).read()[0], chapter, secret)
        if (str(path), key) not in held:  # else what an earlier proposal said is out of date
            lines.append(after[str(path)])
    if faults := [line["answer"] for line in lines if has_fault(line)]:
        raise KitFault(f"the grader failed on {', '.join(faults)}: {proposal} says where; nothing is applied")
    if not lines:
        proposal.unlink()
    return lines, [change for line in lines for change in _changes(before.get(line["answer"]), line)]


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
