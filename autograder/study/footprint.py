"""Tells whether an answer to an exercise has changed: a digest of all the code that has a part in it."""

import ast
from collections.abc import Iterable

from autograder.chapters.chapter import Exercise
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.reading.definitions import parse_source
from autograder.worker.reading.reach import Statements, is_text, statements_of


def footprints(answer: AnswerFile, exercises: Iterable[Exercise]) -> dict[str, str]:
    """Exercise name -> digest of what its definition reaches; comments and layout do not count."""
    statements = statements_of(answer.cells)
    # A call at the top level, or a loop, could change anything; text on its own line nothing.
    loose = [ast.dump(node) for _, node in statements.loose if not is_text(node)]
    return {exercise.name: _digest([*loose, *_parts(answer, statements, exercise.name)]) for exercise in exercises}


def footprints_as_run(answer: AnswerFile, exercises: Iterable[Exercise]) -> dict[str, str]:
    """Return digests of the definitions alone, for a notebook, which knows which of them ran."""
    statements = statements_of(answer.cells)
    return {
        exercise.name: f"ran {_digest(dict.fromkeys(_parts(answer, statements, exercise.name)))}"
        for exercise in exercises
    }


def is_same(answer: AnswerFile, exercise: Exercise, footprint: str) -> bool:
    """Whether an answer is still the one of this digest, of whichever kind that is."""
    digests = footprints_as_run if footprint.startswith("ran ") else footprints
    return digests(answer, [exercise])[exercise.name] == footprint


def _parts(answer: AnswerFile, statements: Statements, name: str) -> list[str]:
    """Where something is missing every letter counts in which it may stand, for what is told of it may change."""
    reached = statements.reachable_from(name)
    parts = [ast.dump(node) for _, node in reached]
    if name not in answer.definitions:
        return [*parts, *(cell.source for cell in answer.cells)]
    broken = [cell.source for cell in answer.cells if parse_source(cell.source) is None]
    return [*parts, *broken] if broken and statements.lacks(name) else parts


def _digest(parts: Iterable[str]) -> str:
    import hashlib  # noqa: PLC0415  (loads OpenSSL, and most lists need no digest)

    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
