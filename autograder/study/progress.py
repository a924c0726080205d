"""A learner's progress: one readable JSON file, changed under a lock and replaced atomically.

    {"softmax": {"passed": "2026-03-01", "text": "5d41402abc4b2a76", "checks": 3, "seconds": 410},
     "one_query": {"predicted": [true]}, "(here)": {"exercise": "attend", "time": 1772366400}}

``passed`` and ``gave_up`` are dates. ``seen`` lists the hints that were shown, ``hints_asked`` counts all requests for
one. ``own`` are the hints of the last verdict. Until the exercise is done, ``checks`` counts checks, ``mistakes`` lists
the named mistakes, the latest last, and ``seconds`` is the time worked on it, without long breaks. ``spot`` is the
place of its mistake, valid while the answer has the spot's ``text``. ``text`` is a hash of the passing answer, to see
whether it has changed; it begins with "ran" if it was judged in a notebook. ``predicted`` says, for each question,
whether the first try was correct. "(here)" is the current exercise, "(again)" the last review.
"""

import ast
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeGuard

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import UnreadableAnswer, reason_of
from autograder.chapters.files import lock_file, make_folder, read_plain, write_file
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.reading.definitions import CallGraph, build_call_graph, is_constant_statement, parse_source

_KINDS = {"passed": str, "text": str, "seen": list, "gave_up": str, "predicted": list}
_KINDS |= {"mistakes": list, "checks": int, "seconds": int, "exercise": str, "time": int, "spot": dict}
_KINDS |= {"own": list, "hints_asked": int}
_LOCK_SECONDS = 10
_MAX_BYTES = 4 << 20


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


class Progress:
    """The progress file of a folder of answers. Errors are only reported, so they never stop the learner's work."""

    def __init__(self, folder: Path, tell: Callable[[str], None] = _say) -> None:
        self.folder, self.tell = folder, tell
        self.path = folder / "progress.json"

    def read(self) -> dict[str, dict]:
        """Return name -> facts, as in the file. Reading needs no lock, because the file is replaced atomically."""
        content = self._read_content()
        return self.change(lambda content: None) if content is None else content

    def change(self, edit: Callable[[dict[str, dict]], object]) -> dict[str, dict]:
        """Call `edit` with the content under a lock, write the edited content to the file, and return it."""
        try:
            make_folder(self.folder.parent, self.folder.name)
            with lock_file(self.folder / "progress.lock", _LOCK_SECONDS):
                content = self._read_content()
                if content is None:
                    content = self._set_aside()
                content_before = json.dumps(content)
                edit(content)
                if json.dumps(content) != content_before:
                    write_file(self.path, json.dumps(content, indent=2) + "\n")
        except OSError as error:  # `OSError` includes the `TimeoutError` of a lock that is not released.
            self.tell(f"{self.path} cannot be saved: {reason_of(error)}")
            content = {}
            edit(content)
        return content

    def _read_content(self) -> dict[str, dict] | None:
        """Return the file's content, {} if there is no file, or None if it is malformed."""
        if not os.path.lexists(self.path):
            return {}
        try:
            content = json.loads(read_plain(self.path, _MAX_BYTES).decode("utf-8"))
        except (UnreadableAnswer, OSError, ValueError, RecursionError):
            return None
        return content if _is_good(content) else None

    def _set_aside(self) -> dict[str, dict]:
        names = (self.folder / f"progress.broken-{number}.json" for number in range(1, 1_000_000))
        new_path = next(path for path in names if not os.path.lexists(path))
        os.replace(self.path, new_path)
        self.tell(f"{self.path} could not be read. It is kept as {new_path}, and a new one begins.")
        return {}


def _is_good(content: object) -> TypeGuard[dict[str, dict]]:
    return isinstance(content, dict) and all(
        isinstance(facts, dict) and all(type(facts[name]) is kind for name, kind in _KINDS.items() if name in facts)
        for facts in content.values()
    )


def hash_code(answer: AnswerFile, exercises: Iterable[Exercise]) -> dict[str, str]:
    """Return exercise -> hash of all code that can affect it, without comments and layout."""
    statements = build_call_graph(answer.cells)
    # A top-level call or loop could affect every exercise, but a string on its own line has no effect.
    statements_outside = [ast.dump(node) for _, node in statements.loose if not is_constant_statement(node)]
    code = {exercise.name: _list_hashed_code(answer, statements, exercise.name) for exercise in exercises}
    return {name: _hash_parts([*statements_outside, *parts]) for name, parts in code.items()}


def hash_executed_code(answer: AnswerFile, exercises: Iterable[Exercise]) -> dict[str, str]:
    """Return exercise -> hash of the executed code that its definition uses, for a notebook."""
    statements = build_call_graph(answer.cells)
    return {
        exercise.name: f"ran {_hash_parts(dict.fromkeys(_list_hashed_code(answer, statements, exercise.name)))}"
        for exercise in exercises
    }


def has_same_code(answer: AnswerFile, exercise: Exercise, footprint: str) -> bool:
    """Return whether an exercise's code still has the hash `footprint`, from `hash_code` or `hash_executed_code`."""
    digests = hash_executed_code if footprint.startswith("ran ") else hash_code
    return digests(answer, [exercise])[exercise.name] == footprint


def _list_hashed_code(answer: AnswerFile, statements: CallGraph, name: str) -> list[str]:
    """Return the code that an exercise uses, and cells that may define missing names: broken ones, or at worst all."""
    used_statements = statements.find_used_statements(name)
    parts = [ast.dump(node) for _, node in used_statements]
    if name not in answer.definitions:
        return [*parts, *(cell.source for cell in answer.cells)]
    broken = [cell.source for cell in answer.cells if parse_source(cell.source) is None]
    return [*parts, *broken] if broken and statements.has_undefined_names(name) else parts


def _hash_parts(parts: Iterable[str]) -> str:
    import hashlib  # noqa: PLC0415  (loads OpenSSL, which `attn list` rarely needs)

    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
