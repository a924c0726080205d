"""The JSON line of a graded answer, and groups of answers that fail with the same results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from autograder.judging.verdict.finding import round_points
from autograder.judging.verdict.verdict import ExerciseRecord

if TYPE_CHECKING:
    from autograder.chapters.chapter import Chapter
    from autograder.judging.verdict.verdict import ExerciseVerdict


class RecordLine(TypedDict, total=False):
    """The JSON object of one answer (docs/records.md). Only the classroom has the keys below the blank line."""

    answer: str
    chapter: str
    points: float
    max_points: float
    exercises: list[ExerciseRecord]
    sandbox: str

    student: str
    assignment: str
    timestamp: str
    problem: str
    notes: list[str]
    seconds: float
    version: str
    secret: str
    submission: str
    basis: dict[str, str]


def make_record(answer_path: str | Path, chapter: Chapter, verdicts: list[ExerciseVerdict], sandbox: str) -> RecordLine:
    return {
        "answer": str(answer_path),
        "chapter": chapter.name,
        "points": round_points(sum(verdict.points for verdict in verdicts)),
        "max_points": round_points(sum(verdict.max_points for verdict in verdicts)),
        "exercises": [verdict.to_record() for verdict in verdicts],
        "sandbox": sandbox,
    }


def has_fault(line: RecordLine) -> bool:
    """Return whether the grader failed on this answer. Such a line is not a result."""
    return any(exercise["outcome"] == "fault" for exercise in line["exercises"])


@dataclass(frozen=True)
class AnswerGroup:
    """Answers that fail an exercise with the same results."""

    chapter: str
    exercise: str
    answers: list  # paths of answers, or ids of learners
    message: str  # the message of the first answer
    relation: str


def group_by_fingerprint(answers: Iterable[tuple[Any, str, ExerciseRecord]]) -> list[AnswerGroup]:
    """Return groups of equally wrong `answers` (author, chapter, record) without a known mistake, the largest first."""
    groups = defaultdict(list)
    for author, chapter, answer in answers:
        if answer.get("fingerprint") and not (answer.get("misconception") or answer.get("carried_from")):
            groups[chapter, answer["exercise"], answer["fingerprint"]].append((author, answer))
    unsorted_groups = [
        AnswerGroup(chapter, exercise, [author for author, _ in pairs], pairs[0][1]["message"], pairs[0][1]["relation"])
        for (chapter, exercise, _), pairs in groups.items()
    ]
    return sorted(unsorted_groups, key=lambda group: -len(group.answers))
