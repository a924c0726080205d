"""How far a learner is: one readable JSON file, changed under a lock and replaced whole.

    {"softmax": {"passed": "2026-03-01", "text": "5d41402abc4b2a76", "hints": 2, "checks": 3, "seconds": 410},
     "one_query": {"predicted": [true]}, "(here)": {"exercise": "attend", "time": 1772366400}}

``passed``, ``gave_up`` and ``given`` (with its solution, by `start --fast`) are days. ``hints`` counts those of the
exercise that were shown or that a verdict had said, ``hints_asked`` all that were asked for. Until it was done,
``checks`` counts those, ``mistakes`` are those that were named, the latest last, and ``seconds`` says how long it was
worked on, long breaks left out. ``own`` are the hints of the last verdict on it, of which ``own_seen`` were shown.
``spot`` tells where its mistake is, as long as the answer is the one of the spot's ``text``. ``text`` tells whether the
answer has changed since; it begins with "ran" where it was judged in a notebook. ``predicted`` tells of each question
on a chapter that was answered whether the first try was right, and "(again)" on which day earlier ones came back.
"""

import ast
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeGuard

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import UnreadableAnswer, why
from autograder.chapters.files import file_lock, make_folder, read_plain, write_whole
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.reading.definitions import parse_source
from autograder.worker.reading.reach import Statements, is_text, statements_of

_KINDS = {"passed": str, "text": str, "hints": int, "gave_up": str, "predicted": list}
_KINDS |= {"given": str, "mistakes": list, "checks": int, "seconds": int, "exercise": str, "time": int, "spot": dict}
_KINDS |= {"own": list, "own_seen": int, "hints_asked": int}
_LOCK_SECONDS = 10
_MAX_BYTES = 4 << 20


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


class Progress:
    """The progress file of one folder of answers. Nothing raises: without it work goes on, and a sentence says so."""

    def __init__(self, folder: Path, tell: Callable[[str], None] = _say) -> None:
        self.folder, self.tell = folder, tell
        self.path = folder / "progress.json"

    def read(self) -> dict[str, dict]:
        """Exercise name -> what is known of it. It needs no lock: the file is only ever replaced whole."""
        content = self._content()
        return self.change(lambda content: None) if content is None else content

    def change(self, edit: Callable[[dict[str, dict]], object]) -> dict[str, dict]:
        """Have the content changed in place, by one process at a time; what it is now."""
        try:
            make_folder(self.folder.parent, self.folder.name)
            with file_lock(self.folder / "progress.lock", _LOCK_SECONDS):
                content = self._content()
                if content is None:
                    content = self._set_aside()
                before = json.dumps(content)
                edit(content)
                if json.dumps(content) != before:
                    write_whole(self.path, json.dumps(content, indent=2) + "\n")
        except OSError as error:  # a lock that another process keeps for ever is one, too
            self.tell(f"{self.path} cannot be kept: {why(error)}")
            content = {}
            edit(content)
        return content

    def _content(self) -> dict[str, dict] | None:
        """What the file says; None where that cannot be understood."""
        if not os.path.lexists(self.path):
            return {}
        try:
            content = json.loads(read_plain(self.path, _MAX_BYTES).decode("utf-8"))
        except (UnreadableAnswer, OSError, ValueError, RecursionError):
            return None
        return content if _is_good(content) else None

    def _set_aside(self) -> dict[str, dict]:
        names = (self.folder / f"progress.broken-{number}.json" for number in range(1, 1_000_000))
        aside = next(path for path in names if not os.path.lexists(path))
        os.replace(self.path, aside)
        self.tell(f"{self.path} could not be understood. It is kept as {aside}, and a new one begins.")
        return {}


def _is_good(content: object) -> TypeGuard[dict[str, dict]]:
    return isinstance(content, dict) and all(
        isinstance(facts, dict) and all(type(facts[name]) is kind for name, kind in _KINDS.items() if name in facts)
        for facts in content.values()
    )


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
