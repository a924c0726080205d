"""The cell of a file that answers one exercise, and its earlier versions.

Versions are all texts that were saved, checked or found in the file. ``.attn/versions/softmax.json`` lists them, the
oldest first. A text that only adds to the last version replaces it, so that typing a line with pauses creates one
version.
"""

import contextlib
import datetime
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import InputError, UnreadableAnswer, reason_of
from autograder.chapters.files import lock_file, make_folder, read_plain, write_file
from autograder.worker.reading.answers import MAX_FILE_BYTES, join_source
from autograder.worker.reading.cells import MAX_TEXT, read_cells
from autograder.worker.reading.definitions import find_definitions, find_docstring_lines

FOLDER = ".attn/versions"
MAX_VERSIONS, MAX_CHARACTERS = 200, 8 * MAX_TEXT  # limits for one answer; the oldest versions are dropped
FEW_LINES = 3  # number of lines that a save may remove without a question
_MAX_BYTES, _LOCK_SECONDS = 64 << 20, 10


class MissingCell(InputError):
    """Raised if an exercise's cell cannot be found in a file."""


@dataclass(frozen=True)
class AnswerCell:
    """The cell that answers one exercise, with a function that replaces its source."""

    content: bytes  # the whole file
    source: str  # the text of the cell, after `trim_cell`
    place: str  # name of the cell or file in verdicts, such as "cell 3"
    line: int  # number of the line at which the source begins
    with_source: Callable[[str], bytes]  # returns the whole file with this cell's source replaced


def read_answer_cell(path: Path, exercise: Exercise) -> AnswerCell:
    return find_answer_cell(read_plain(path, MAX_FILE_BYTES, follow_links=True), path, exercise)


def find_answer_cell(content: bytes, path: Path, exercise: Exercise) -> AnswerCell:
    """Return the last cell that defines the exercise, or else the cell whose marker line names it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeError:
        raise MissingCell(f"{path} is not text in UTF-8: save it again as UTF-8") from None
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        parts = (_find_in_notebook if path.suffix == ".ipynb" else _find_in_script)(text, exercise)
    except (ValueError, KeyError, TypeError):
        raise MissingCell(f"{path} is not a notebook: its cells cannot be found") from None
    if parts is None:
        raise MissingCell(f"{path} does not define {exercise.name}: `attn reset {exercise.chapter}` writes it again")
    source, place, line, replace_source = parts

    def encode(new: str) -> bytes:  # Escape lone surrogates, which JSON allows and UTF-8 does not.
        return replace_source(new).replace("\n", newline).encode("utf-8", "backslashreplace")

    return AnswerCell(content, source, place or path.name, line, encode)


def trim_cell(source: str) -> str:
    """Return a cell's text without surrounding blank lines and invalid characters."""
    return join_source(source).replace("\r\n", "\n").replace("\r", "\n").lstrip("\n").rstrip()


_CellParts = tuple[str, str, int, Callable[[str], str]]


def _find_in_script(text: str, exercise: Exercise) -> _CellParts | None:
    end, defining, marked_cell = 0, None, None
    for cell in read_cells(text):
        start = text.index(cell.raw, end)
        end = start + len(cell.raw)
        if cell.kind == "code" and exercise.name in find_definitions(cell.source):
            defining = start, cell
        elif cell.kind == "code" and cell.options.get("exercise") == exercise.name:
            marked_cell = start, cell
    if (placed := defining or marked_cell) is None:
        return None
    (start, cell), source = placed, trim_cell(placed[1].source)
    head = text[:start] + (cell.raw[: cell.raw.rindex(source)] if source else cell.raw.partition("\n")[0] + "\n")
    tail = text[len(head) + len(source) :]
    return source, "", head.count("\n") + 1, lambda source: head + source + tail


def _find_in_notebook(text: str, exercise: Exercise) -> _CellParts | None:
    notebook = json.loads(text)
    for number, cell in reversed(list(enumerate(notebook["cells"], start=1))):
        if cell["cell_type"] == "code" and exercise.name in find_definitions(join_source(cell["source"])):

            def replace_source(source: str, cell: dict = cell) -> str:
                cell |= {"source": source.splitlines(keepends=True), "outputs": list[str]()}
                return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"

            return trim_cell(join_source(cell["source"])), f"cell {number}", 1, replace_source
    return None


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
