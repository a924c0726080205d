"""Wrong answers that have no name, grouped by what they do: each group is a misconception still to be written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.chapters.errors import RecordError, why
from autograder.grading.record import line_of

if TYPE_CHECKING:
    from autograder.grading.record import Line
    from autograder.judging.verdict.verdict import ExerciseRecord


@dataclass(frozen=True)
class Group:
    """Answers that fail an exercise in the same way."""

    chapter: str
    exercise: str
    answers: list  # who made it: paths, or learners
    message: str  # what the first of them was told
    relation: str


def lines_of(path: Path) -> list[Line]:
    """The last line of each answer in a record, or the one object of a course's file of verdicts.

    `RecordError` where the file cannot be read or holds none.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {why(error)}") from None
    last = {}
    for line in filter(None, map(line_of, [text, *text.splitlines()])):
        last[line["answer"], line["chapter"]] = line
    if not last and text.strip():
        raise RecordError(f"{path} is no record: it holds no line that `attn grade` has written")
    return list(last.values())


def unnamed(answers: Iterable[tuple[Any, str, ExerciseRecord]]) -> list[Group]:
    """The groups of answers without a name, largest first."""
    groups = defaultdict(list)
    for who, chapter, answer in answers:
        if answer.get("fingerprint") and not (answer.get("misconception") or answer.get("carried_from")):
            groups[chapter, answer["exercise"], answer["fingerprint"]].append((who, answer))
    made = [
        Group(chapter, exercise, [who for who, _ in members], members[0][1]["message"], members[0][1]["relation"])
        for (chapter, exercise, _), members in groups.items()
    ]
    return sorted(made, key=lambda group: -len(group.answers))


def describe_groups(groups: list[Group], most: int) -> Iterator[str]:
    """The lines that `attn unnamed` prints."""
    count = sum(len(group.answers) for group in groups)
    if not groups:
        yield "Every wrong answer has a name."
        return
    yield f"{count} wrong answer{'s' * (count != 1)} without a name, in {len(groups)} group{'s' * (len(groups) != 1)}."
    for group in groups[:most]:
        size = len(group.answers)
        yield ""
        yield f"{size} answer{'s' * (size != 1)} to {group.exercise} ({group.chapter}), such as {group.answers[0]}"
        yield f"  {group.message}"
    if len(groups) > most:
        yield ""
        yield f"{len(groups) - most} more: --most {len(groups)} shows all."
