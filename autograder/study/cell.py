"""The cell of a file that answers one exercise: find it, and replace its text."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import InputError
from autograder.chapters.files import read_plain
from autograder.worker.reading.answers import MAX_FILE_BYTES, joined
from autograder.worker.reading.cells import read_cells
from autograder.worker.reading.definitions import definitions


class NoCell(InputError):
    """A file that has no cell for an exercise."""


@dataclass(frozen=True)
class AnswerCell:
    """The cell that answers one exercise, and how to replace its source."""

    content: bytes  # of the whole file
    source: str  # as `tidy` returns it
    place: str  # as a verdict names the place, see `where_of`
    line: int  # the line at which the source begins
    with_source: Callable[[str], bytes]  # returns the file's content with another source and all else unchanged


def cell_of(path: Path, exercise: Exercise) -> AnswerCell:
    return cell_in(read_plain(path, MAX_FILE_BYTES, follows=True), path, exercise)


def cell_in(content: bytes, path: Path, exercise: Exercise) -> AnswerCell:
    """Return the last cell that defines the exercise, because that definition counts, or else the one marked for it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeError:
        raise NoCell(f"{path} is not text in UTF-8: save it again as UTF-8") from None
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        parts = (_in_notebook if path.suffix == ".ipynb" else _in_script)(text, exercise)
    except (ValueError, KeyError, TypeError):
        raise NoCell(f"{path} is not a notebook: its cells cannot be found") from None
    if parts is None:
        raise NoCell(f"{path} does not define {exercise.name}: `attn reset {exercise.chapter}` writes it again")
    source, place, line, whole = parts

    def encode(new: str) -> bytes:  # lone surrogates, which JSON allows, are written as escapes
        return whole(new).replace("\n", newline).encode("utf-8", "backslashreplace")

    return AnswerCell(content, source, place or path.name, line, encode)


def tidy(source: str) -> str:
    """Return a cell's text without surrounding blank lines, which are the file's, and without invalid characters."""
    return joined(source).replace("\r\n", "\n").replace("\r", "\n").lstrip("\n").rstrip()


_CellParts = tuple[str, str, int, Callable[[str], str]]


def _in_script(text: str, exercise: Exercise) -> _CellParts | None:
    end, defining, marked = 0, None, None
    for cell in read_cells(text):
        start = text.index(cell.raw, end)
        end = start + len(cell.raw)
        if cell.kind == "code" and exercise.name in definitions(cell.source):
            defining = start, cell
        elif cell.kind == "code" and cell.options.get("exercise") == exercise.name:
            marked = start, cell
    if (placed := defining or marked) is None:
        return None
    (start, cell), source = placed, tidy(placed[1].source)
    before = text[:start] + (cell.raw[: cell.raw.rindex(source)] if source else cell.raw.partition("\n")[0] + "\n")
    after = text[len(before) + len(source) :]
    return source, "", before.count("\n") + 1, lambda source: before + source + after


def _in_notebook(text: str, exercise: Exercise) -> _CellParts | None:
    notebook = json.loads(text)
    for number, cell in reversed(list(enumerate(notebook["cells"], start=1))):
        if cell["cell_type"] == "code" and exercise.name in definitions(joined(cell["source"])):

            def whole(source: str, cell: dict = cell) -> str:
                cell |= {"source": source.splitlines(keepends=True), "outputs": list[str]()}
                return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"

            return tidy(joined(cell["source"])), f"cell {number}", 1, whole
    return None
