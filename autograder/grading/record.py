"""The record: one JSON line for every graded answer, written the moment it is done."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from autograder.chapters import curriculum
from autograder.chapters.errors import RecordError, why
from autograder.chapters.files import file_lock, writing
from autograder.judging.verdict.verdict import ExerciseRecord

if TYPE_CHECKING:
    from autograder.chapters.chapter import Chapter
    from autograder.judging.verdict.verdict import ExerciseVerdict
    from autograder.worker.reading.answers import AnswerFile


class Line(TypedDict, total=False):
    """One line of a record: one answer. docs/records.md describes it; the last group is the classroom's."""

    answer: str
    chapter: str
    points: float
    max_points: float
    exercises: list[ExerciseRecord]
    sandbox: str
    key: str

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


# Parts of a key are hashed with their lengths, so that no two lists of parts look alike.


def cache_key(answer: AnswerFile, chapter: Chapter, secret: bytes) -> str:
    """What a line of the record is good for: this answer, these suites, this secret."""
    digest = hashlib.sha256()
    parts = [
        chapter.name.encode(),
        secret,
        *(part.encode("utf-8", "surrogatepass") for cell in answer.cells for part in (cell.place, cell.source)),
    ]
    parts += [(curriculum.suite_of(exercise.name)).read_bytes() for exercise in chapter.exercises]
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:32]


def record_line(
    answer_path: str | Path, chapter: Chapter, verdicts: list[ExerciseVerdict], key: str, sandbox: str
) -> Line:
    """The object that stands for one answer; docs/records.md describes it."""
    return {
        "answer": str(answer_path),
        "chapter": chapter.name,
        "points": sum(verdict.points for verdict in verdicts),
        "max_points": sum(verdict.max_points for verdict in verdicts),
        "exercises": [verdict.record() for verdict in verdicts],
        "sandbox": sandbox,
        "key": key,
    }


def has_fault(line: Line) -> bool:
    """Whether the grader failed on this answer, which says nothing about it."""
    return any(exercise["outcome"] == "fault" for exercise in line["exercises"])


def line_of(text: str | bytes) -> Line | None:
    """A line of ours; None where it is none, or was cut off."""
    try:
        line = json.loads(text)
        named = line["answer"] and line["chapter"] and line["key"]
        return line if named and isinstance(line["exercises"], list) else None
    except (ValueError, KeyError, TypeError):
        return None


class Record:
    """The file of lines, open for one writer.

    `RecordError` where it cannot be written, or another run is writing to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        busy = RecordError(f"{path} is being written by another run: wait for it to end")
        with writing(path, RecordError), contextlib.ExitStack() as opened:
            self.file = opened.enter_context(open(path, "a+b", buffering=0))
            opened.enter_context(file_lock(path.with_name(f".{path.name}.lock"), busy=busy))
            self.opened = opened.pop_all()

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *exception: object) -> None:
        self.opened.close()

    def lines(self) -> Iterator[Line]:
        """Every whole line, as an object, in order; one that was cut off, or is no line of ours, is left out."""
        with open(self.path, "rb") as file:
            yield from filter(None, map(line_of, file))

    def outcomes_by_key(self) -> dict[tuple[str, str], list[str]]:
        """(Answer, key) -> outcomes of its exercises, for all that needs no grading.

        An answer that changed and changed back does, because its last line counts; and so does a fault of ours.
        """
        last = {}
        for line in self.lines():
            outcomes = [exercise["outcome"] for exercise in line["exercises"]]
            last[line["answer"], line["chapter"]] = line["key"], outcomes
        return {(answer, key): outcomes for (answer, _), (key, outcomes) in last.items() if "fault" not in outcomes}

    def latest(self, chapter_name: str) -> dict[str, Line]:
        """Answer -> its last line for the chapter, which counts."""
        return {line["answer"]: line for line in self.lines() if line["chapter"] == chapter_name}

    def append(self, *lines: Line) -> None:
        """Add answers and make sure that they are on disk."""
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        try:
            size = self.file.seek(0, os.SEEK_END)
            if size and os.pread(self.file.fileno(), 1, size - 1) != b"\n":
                data = b"\n" + data  # an earlier run was cut off in the middle of a line
            while data:
                data = data[self.file.write(data) :]
            os.fsync(self.file.fileno())
        except OSError as error:
            message = (
                f"{self.path} cannot be written: {why(error)}. What it holds is safe: make room and run this again"
            )
            raise RecordError(message) from None
