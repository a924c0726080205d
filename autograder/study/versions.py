"""Earlier versions of the answers to exercises.

Versions are all texts that were saved, checked or found in the file. ``.attn/versions/softmax.json`` lists them, the
oldest first. A text that only adds to the last version replaces it, so that typing a line with pauses creates one
version.
"""

import contextlib
import datetime
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.chapters.errors import InputError, UnreadableAnswer, reason_of
from autograder.chapters.files import lock_file, make_folder, read_plain, write_file
from autograder.worker.reading.answers import join_source
from autograder.worker.reading.cells import MAX_TEXT

FOLDER = ".attn/versions"
MAX_VERSIONS, MAX_CHARACTERS = 200, 8 * MAX_TEXT  # limits for one answer; the oldest versions are dropped
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


def trim_cell(source: str) -> str:
    """Return a cell's text without surrounding blank lines and invalid characters."""
    return join_source(source).replace("\r\n", "\n").replace("\r", "\n").lstrip("\n").rstrip()


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
