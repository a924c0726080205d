"""The cell of a file that answers one exercise."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import InputError
from autograder.chapters.files import read_plain, write_file
from autograder.study.versions import Versions, trim_cell
from autograder.worker.reading.answers import MAX_FILE_BYTES, join_source
from autograder.worker.reading.cells import read_cells
from autograder.worker.reading.definitions import find_definitions, find_docstring_lines

FEW_LINES = 3  # number of lines that a save may remove without a question


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
