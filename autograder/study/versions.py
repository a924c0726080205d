"""Earlier versions of an answer: all texts that were saved, checked or found in the file.

``.attn/versions/softmax.json`` is a list of versions, the oldest first. A text that only adds to the last version
replaces it, so that typing a line with pauses creates one version.
"""

import contextlib
import datetime
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.chapters.errors import InputError, UnreadableAnswer, reason_of
from autograder.chapters.files import lock_file, make_folder, read_plain, write_file
from autograder.study.cell import AnswerCell
from autograder.worker.reading.cells import MAX_TEXT
from autograder.worker.reading.definitions import find_definitions, find_docstring_lines

FOLDER = ".attn/versions"
MAX_VERSIONS, MAX_CHARACTERS = 200, 8 * MAX_TEXT  # limits for one answer; the oldest versions are dropped
FEW_LINES = 3  # number of lines that a save may remove without a question
_MAX_BYTES, _LOCK_SECONDS = 64 << 20, 10


@dataclass(frozen=True)
class AnswerVersion:
    text: str
    time: str  # ISO, local time
    passed: bool = False


class Versions:
    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.path = folder / FOLDER / f"{name}.json"

    def read(self) -> list[AnswerVersion]:
        """Return the versions from the newest to the oldest, except that the last one that passed comes first."""
        newest = self._read()[::-1]
        last_passed = next((version for version in newest if version.passed), None)
        return [*([last_passed] if last_passed else []), *(version for version in newest if version is not last_passed)]

    def keep(self, *texts: str, passed: bool = False) -> None:
        """Store texts as versions, the newest last. `passed`: whether they pass the suite."""
        if not (texts := tuple(filter(None, texts))):
            return
        try:
            make_folder(self.folder, FOLDER)
            with lock_file(self.path.with_suffix(".lock"), _LOCK_SECONDS):
                versions_before = versions = self._read()
                for text in texts:
                    timestamp = datetime.datetime.now().isoformat(" ", "seconds")
                    versions = _add_version(versions, AnswerVersion(text, timestamp, passed))
                if versions != versions_before:
                    write_file(self.path, json.dumps([asdict(version) for version in _drop_oldest(versions)], indent=1))
        except OSError as error:
            raise InputError(f"{self.path} cannot be written, so nothing was changed: {reason_of(error)}") from None

    def _read(self) -> list[AnswerVersion]:
        """Return the versions, oldest first. A malformed file is moved aside."""
        if not os.path.lexists(self.path):
            return []
        try:
            return [AnswerVersion(**entry) for entry in json.loads(read_plain(self.path, _MAX_BYTES))]
        except (UnreadableAnswer, ValueError, TypeError, RecursionError):
            with contextlib.suppress(OSError):
                os.replace(self.path, self.path.with_suffix(".broken"))
            return []


def write_answer(path: Path, cell: AnswerCell, text: str, versions: Versions, is_stub: bool = False) -> None:
    """Store the old and the new text as versions, then replace the answer. Raises `FileChanged` if `path` changed."""
    versions.keep(cell.source, "" if is_stub else text)
    write_file(path.resolve(), cell.with_source(text), replaces=cell.content)


def describe_loss(old_text: str, new_text: str, name: str) -> str:
    """Return a warning if a save would remove the exercise's definition or most of its lines, otherwise ""."""
    if name in find_definitions(old_text) and name not in find_definitions(new_text):
        return f"This would remove `{name}` from the file."
    lines_before, lines_after = _count_lines(old_text), _count_lines(new_text)
    is_much = 2 * lines_after < lines_before and lines_before - lines_after > FEW_LINES
    return "This would remove more than half of the lines." if is_much else ""


def _count_lines(text: str) -> int:
    """Return the number of lines of code, without docstrings."""
    docstring = find_docstring_lines(text)
    return sum(bool(line.strip()) for number, line in enumerate(text.splitlines(), start=1) if number not in docstring)


def is_insertion_into(text: str, part: str) -> bool:
    """Return whether inserting at most one piece of text into `part` gives `text`."""
    start = next((i for i, pair in enumerate(zip(text, part, strict=False)) if pair[0] != pair[1]), len(part))
    return len(part) <= len(text) and text.endswith(part[start:])


def _add_version(versions: list[AnswerVersion], new: AnswerVersion) -> list[AnswerVersion]:
    equal_versions = [version for version in versions if version.text == new.text]
    if equal_versions:
        new = AnswerVersion(new.text, new.time, new.passed or any(version.passed for version in equal_versions))
        if versions[-1] is equal_versions[-1]:
            return [*versions[:-1], AnswerVersion(new.text, versions[-1].time, new.passed)]
    other_versions = [version for version in versions if version.text != new.text]
    last = other_versions[-1] if other_versions else None
    if last and not last.passed and is_insertion_into(new.text, last.text):
        other_versions.pop()
    return [*other_versions, new]


def _drop_oldest(versions: list[AnswerVersion]) -> list[AnswerVersion]:
    """Return the newest versions that fit within the limits, always including the last one that passed."""
    last_passed = [version for version in versions if version.passed][-1:]
    versions_kept, room = list[AnswerVersion](), MAX_CHARACTERS
    for version in versions[::-1]:
        room -= len(version.text)
        if version in last_passed or (len(versions_kept) < MAX_VERSIONS and room >= 0):
            versions_kept.append(version)
    return versions_kept[::-1]
