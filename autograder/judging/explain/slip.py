"""Explains a wrong answer by code in it that is hardly ever intended."""

from dataclasses import replace

from autograder.judging.explain.case import CaseWithSession
from autograder.judging.verdict.finding import ROOM_CHARACTERS, Explanation, Kind
from autograder.worker.reading.slips import slips_of_answer


def find_slip(case: CaseWithSession) -> Explanation | None:
    """Return the first such slip in code that the exercise uses; a discarded value is added to other explanations."""
    mismatch, exercise, earlier = case.shown_test.mismatch, case.exercise.name, case.verdict.explanation
    if mismatch and mismatch.rung == "attribute":
        return None  # attributes of a module are unrelated to unused values
    answer = case.session.file
    slips_of = slips_of_answer
    if answer.found is not None:  # submitted answers are parsed in a worker, never here
        from autograder.boundary.reader import slips_of  # noqa: PLC0415  (a learner's own check needs none)
    found = slips_of(answer, exercise, bool(case.shown_test.error))
    if not found:
        return None
    is_discarded, slip = found[0]
    if earlier is None or not earlier.sentence:
        return Explanation(Kind.SLIP, slip)
    if is_discarded and earlier.kind is not Kind.MISTAKE:
        return replace(earlier, kind=Kind.SLIP, sentence=slip)
    # Combine it with the earlier explanation if there is room; it comes first if it may cause the error.
    comes_first = is_discarded or earlier.kind is Kind.ERROR
    both = f"{slip} {earlier.sentence}" if comes_first else f"{earlier.sentence} {slip}"
    room = ROOM_CHARACTERS - sum(len(part) + 1 for part in case.shown_test.shorten(ROOM_CHARACTERS // 2))
    if len(both) <= room:
        return replace(earlier, sentence=both)
    return replace(earlier, sentence=slip) if comes_first else None
