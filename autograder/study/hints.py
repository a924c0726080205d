"""Hints: one row for each exercise, the same wherever it is shown, one more each time, and at its end all of it again.

The row begins with what the last verdict said of the mistake; the first of these was shown with it.
"""

from collections.abc import Iterator

from autograder.chapters.chapter import Exercise
from autograder.chapters.text import prose_and_code
from autograder.study.folder import Folder


def next_hints(folder: Folder, exercise: Exercise, way_out: str | None = None) -> list[str]:
    """Return the hints to show now, as lines, and keep how many were seen."""
    from autograder.views.words import row_of_hints  # noqa: PLC0415  (needs NumPy, which commands load when they judge)

    facts = folder.progress.read().get(exercise.name, {})
    own = [] if "passed" in facts else [str(hint) for hint in facts.get("own", [])]
    row = row_of_hints(own, exercise.hints)
    answered = len(own) + len(exercise.hints) - len(row)
    own_count = min(facts.get("own_seen", 0), len(own))
    others = max(facts.get("hints", 0) - answered, 0)  # of the exercise's in the row
    at = own_count if own_count < len(own) else min(len(own) + others, len(row))
    now = {"own_seen": at + 1} if at < len(own) else {"hints": min(answered + at - len(own) + 1, len(exercise.hints))}
    if at < len(row):
        now["hints_asked"] = facts.get("hints_asked", 0) + 1
    folder.progress.change(lambda progress: progress.setdefault(exercise.name, {}).update(now))
    lines = list[str]()
    for number in range(len(row)) if at == len(row) else [at]:
        first, *more = _lines(row[number])
        lines += [f"Hint {number + 1} of {len(row)} for {exercise.name}: {first}", *more]
    if at + 1 >= len(row):
        lines.append(f"These are all. If you are stuck: {way_out or f'attn solution {exercise.name} --give-up'}")
    return lines


def _lines(hint: str) -> Iterator[str]:
    """Prose in one line each, for the terminal to wrap; code as it stands."""
    for is_code, part in prose_and_code(hint):
        if is_code:
            yield from (f"    {line}" for line in part.splitlines())
        else:
            yield " ".join(part.split())
