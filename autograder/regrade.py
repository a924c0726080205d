"""Grades answers again after a suite has changed, and says whose score changes before anything is applied."""

from dataclasses import dataclass

from autograder.many import grade_answers
from autograder.record import Record


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


def propose(paths, chapter_name, record_path, secret, make_executor, jobs, console):
    """Grade again whatever the record's suites, secret or answers no longer fit.

    Returns
    -------
    list of Change
        In the order of the answers and their exercises.
    """
    with Record(record_path) as record:
        known, before = record.keys(), record.latest()
    proposal = proposal_path(record_path)
    grade_answers(paths, chapter_name, proposal, secret, make_executor, jobs, console, known)
    with Record(proposal) as record:
        after = record.latest()
    return [
        change
        for path in map(str, paths)
        if path in before and path in after
        for change in _changes(before[path], after[path])
    ]


def apply(record_path):
    """Add the proposed lines to the record; the last line of an answer counts. Returns how many there were."""
    proposal = proposal_path(record_path)
    with Record(record_path) as record, Record(proposal) as proposed:
        lines = list(proposed.latest().values())
        for line in lines:
            record.append(line)
    proposal.unlink()
    return len(lines)


def _changes(before, after):
    old = {exercise["exercise"]: exercise["points"] for exercise in before["exercises"]}
    for exercise in after["exercises"]:
        name, points = exercise["exercise"], exercise["points"]
        if points != old.get(name, 0):
            why = exercise["message"] or "every test passes now"
            yield Change(after["answer"], name, old.get(name, 0), points, why)
