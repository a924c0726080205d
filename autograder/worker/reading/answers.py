"""Answers: parsing of scripts and notebooks into code cells, and analysis of the definitions in them."""

import ast
import functools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .cells import MAX_TEXT, CodeCell, read_cells
from .definitions import (
    ExerciseSpec,
    build_call_graph,
    find_definitions,
    find_first_line,
    find_unread_argument,
    is_stub,
    read_docstring,
    remove_bindings,
)

MAX_CODE = 1_000_000  # characters of code in one answer
MAX_FILE_BYTES = 128 << 20  # bytes: a notebook may contain many pictures
MAX_SCRIPT_BYTES = 16 << 20  # less than for notebooks, because a script contains no pictures
MAX_DEFINED, MAX_NAME = 2000, 200  # number of names that are reported, and characters of one name
MAX_MAGICS = 200  # limit for the magics in one cell, which is parsed again for each of them
RUNNING_MAGICS = ("time", "timeit", "capture", "prun")  # cell magics that run their cell
_MAGIC = re.compile(r"[ \t]*[%!?].*|.*=[ \t]*[%!].*|.*\?[ \t]*")


class UnreadableFile(ValueError):
    """Raised if a file cannot be read. The message continues a sentence that begins with the file's name."""


@dataclass(frozen=True)
class AnswerFile:
    """The file of one answer. If it was submitted, a worker has examined it, and `findings` has the results."""

    path: str  # the path as the user wrote it
    cells: tuple[CodeCell, ...]  # in the order in which they run
    notebook: bool = False
    findings: dict | None = None  # results of `examine_answer`, or None if it was not called
    set_aside: dict[str, str] = field(default_factory=dict)  # exercise -> cell of an ignored later definition

    @functools.cached_property
    def definitions(self) -> dict[str, tuple[CodeCell, int]]:
        """Return name -> (cell, line in the cell) for all top-level definitions. A name's last definition counts."""
        if self.findings is not None:
            return {name: (self.cells[number], line) for name, (number, line) in self.findings["definitions"].items()}
        return {name: (cell, line) for cell in self.cells for name, line in find_definitions(cell.source).items()}

    def describe_redefinition(self, name: str) -> str:
        """Return a sentence about an ignored later definition of an exercise, or "" if there is none."""
        place = self.set_aside.get(name)
        return f"{name} is defined again in {place}: only its own cell, with the docstring, counts" if place else ""

    def locate(self, name: str, position: tuple[str, int] | None = None) -> str | None:
        """Return ``file:line`` of `position` or, by default, of a definition's body; None if there is no definition."""
        if position is None:
            if name not in self.definitions:
                return None
            cell, _ = self.definitions[name]
            position = cell.place, cell.line + find_first_line(cell.source, name) - 1
        place, line = position
        return f"{place if self.notebook else self.path}:{line}"

    def is_untouched(self, exercise: ExerciseSpec) -> bool:
        if self.findings is not None:
            return exercise.name in self.findings["untouched"]
        cell, _ = self.definitions.get(exercise.name, (None, 0))
        return cell is not None and is_stub(cell.source, exercise.name, exercise.stub)

    def list_begun(self, exercises: Iterable[ExerciseSpec]) -> list[str]:
        exercises_defined = [exercise for exercise in exercises if exercise.name in self.definitions]
        return [exercise.name for exercise in exercises_defined if not self.is_untouched(exercise)]

    def find_used_names(self, name: str) -> set[str]:
        """Return a name and all names that it uses, directly or indirectly; of an examined answer, only exercises."""
        if self.findings is not None:
            return set(self.findings["reached"].get(name, ()))
        return build_call_graph(self.cells).find_used_names(name)

    def find_shortcut(self, exercise: ExerciseSpec) -> tuple[str, str] | None:
        """Return the first use of a name that the exercise bans, as (name, place), or None if there is none."""
        if self.findings is not None:
            return self.findings["shortcuts"].get(exercise.name)
        if not exercise.bans:
            return None
        from .shortcuts import find_shortcut  # noqa: PLC0415  (most chapters ban nothing)

        return find_shortcut(self.cells, exercise, self.notebook)

    def find_unread_argument(self, name: str) -> tuple[str, str] | None:
        """Return the first argument that an exercise's definition never reads, as (function, argument), or None."""
        if self.findings is not None:
            return self.findings["unread"].get(name)
        return find_unread_argument(self.definitions[name][0].source, name) if name in self.definitions else None

    def remove_leftover_stubs(self, exercises: Iterable[ExerciseSpec]) -> "AnswerFile":
        """Return the answer without stubs of exercises that another cell answers, and without later redefinitions."""
        if self.findings is not None:
            return self  # `examine_answer` has removed them.
        # A stub may also define a helper function, which then belongs to the exercise.
        stubs = {name: exercise.stub for exercise in exercises for name in find_definitions(exercise.stub)}
        exercise_names = {exercise.name for exercise in exercises}
        answered_names: set[str] = set()
        leftover: list[tuple[CodeCell, set[str]]] = []
        for cell in self.cells:
            names = [name for name in find_definitions(cell.source) if name in stubs]
            stub_only = [name for name in names if is_stub(cell.source, name, stubs[name])]
            answered_names |= set(names) - set(stub_only)
            if stub_only and len(names) == len(stub_only) == len(find_definitions(cell.source)):
                leftover.append((cell, set(stub_only)))
        drop = [id(cell) for cell, names in leftover if names & exercise_names <= answered_names]
        cells = tuple(cell for cell in self.cells if id(cell) not in drop)
        kept_cells, later = _remove_redefinitions(cells, stubs)
        notes = {name: cell.place if self.notebook else f"the cell at line {cell.line}" for name, cell in later.items()}
        return AnswerFile(self.path, tuple(kept_cells), self.notebook, set_aside=notes)


def _remove_redefinitions(cells: Sequence[CodeCell], stubs: dict[str, str]) -> tuple[list, dict[str, CodeCell]]:
    """Remove statements that rebind an exercise's name after its own cell. Return the cells, and name -> changed cell.

    An exercise's own cell is the last one that has its docstring and more than the stub. A later experiment such as
    `softmax = softmax([1, 2])` must not replace the answer.
    """
    list_own_cells: dict[str, int] = {}
    for number, cell in enumerate(cells):
        for name in stubs.keys() & find_definitions(cell.source).keys():
            text = read_docstring(stubs[name], name)
            if text and read_docstring(cell.source, name) == text and not is_stub(cell.source, name, stubs[name]):
                list_own_cells[name] = number
    names_below = [{name for name, place in list_own_cells.items() if place < number} for number in range(len(cells))]
    kept_cells, removed_cells = list(cells), dict[str, CodeCell]()
    for number, (cell, names) in enumerate(zip(cells, names_below, strict=True)):
        if names:
            kept_cells[number] = cell._replace(source=remove_bindings(cell.source, names))
            removed = find_definitions(cell.source).keys() - find_definitions(kept_cells[number].source).keys()
            removed_cells |= dict.fromkeys(names & removed, cell)
    return kept_cells, removed_cells


def examine_answer(answer: AnswerFile, exercises: Sequence[ExerciseSpec]) -> AnswerFile:
    """Return the answer without leftover stubs, and with `findings` about these exercises.

    The findings are plain data: ``definitions`` is name -> (index of the cell, line in it), ``untouched`` a list of
    exercises, ``shortcuts`` exercise -> (banned name, place), ``unread`` exercise -> (function, argument), and
    ``reached`` exercise -> exercises that it uses.
    """
    trimmed = answer.remove_leftover_stubs(exercises)
    places = {id(cell): number for number, cell in enumerate(trimmed.cells)}
    exercise_names = {exercise.name for exercise in exercises}
    names = sorted(trimmed.definitions, key=lambda name: name not in exercise_names)[:MAX_DEFINED]
    definitions = {name: trimmed.definitions[name] for name in names if len(name) <= MAX_NAME}
    shortcuts = {exercise.name: trimmed.find_shortcut(exercise) for exercise in exercises}
    unread = {exercise.name: trimmed.find_unread_argument(exercise.name) for exercise in exercises}
    findings = {
        "set_aside": trimmed.set_aside,
        "definitions": {name: (places[id(cell)], line) for name, (cell, line) in definitions.items()},
        "reached": {name: sorted(exercise_names & trimmed.find_used_names(name)) for name in exercise_names},
        "untouched": [exercise.name for exercise in exercises if trimmed.is_untouched(exercise)],
        "shortcuts": {name: (shortcut[0][:MAX_NAME], shortcut[1]) for name, shortcut in shortcuts.items() if shortcut},
        "unread": {name: (pair[0][:MAX_NAME], pair[1][:MAX_NAME]) for name, pair in unread.items() if pair},
    }
    return AnswerFile(trimmed.path, trimmed.cells, trimmed.notebook, findings)


def decode_script(content: bytes) -> str:
    """Return the text of a script, with plain line ends. Raises `UnreadableFile` if it is not UTF-8 or too large."""
    if len(content) > MAX_SCRIPT_BYTES:
        raise UnreadableFile(f"is larger than {MAX_SCRIPT_BYTES >> 20} MB: submit only the script")
    return _decode(content).replace("\r\n", "\n").replace("\r", "\n")


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeError:
        raise UnreadableFile("is not text in UTF-8: save it again as UTF-8") from None


def parse_json(content: bytes) -> Any:
    """Parse the JSON of a notebook. Raises `UnreadableFile` if it is not JSON in UTF-8."""
    try:
        return json.loads(_decode(content))
    except UnreadableFile:
        raise
    except (ValueError, RecursionError):
        raise UnreadableFile("is not a notebook (its text is not JSON): download or export it again") from None


def parse_script_cells(name: str, text: str) -> tuple[CodeCell, ...]:
    code = [cell for cell in read_cells(text) if cell.kind == "code" and cell.source.strip()]
    return _require_size([CodeCell(name, cell.line, cell.source) for cell in code])


def parse_notebook_cells(notebook: dict) -> tuple[CodeCell, ...]:
    """Return the code cells of a parsed notebook, without the locked ones."""
    try:
        code_cells = [
            CodeCell(f"cell {number}", 1, join_source(cell["source"]))
            for number, cell in enumerate(notebook["cells"], start=1)
            if cell["cell_type"] == "code" and not _is_locked(cell)
        ]
    except (KeyError, TypeError, AttributeError, ValueError):
        raise UnreadableFile("is not a notebook: its cells cannot be found; download or export it again") from None
    return remove_magics(code_cells)


def remove_magics(cells: list[CodeCell]) -> tuple[CodeCell, ...]:
    """Return a notebook's code cells without IPython's magics, and without empty cells."""
    code_cells = [CodeCell(cell.place, 1, _replace_magics(cell.source)) for cell in _require_size(cells)]
    return tuple(cell for cell in code_cells if cell.source.strip())


def join_source(source: str | list[str]) -> str:
    """Return a cell's source, which may be a list of lines, as one string. Lone surrogates are replaced."""
    text = source if isinstance(source, str) else "".join(source)
    return text.encode("utf-8", "replace").decode("utf-8")


def _require_size(cells: Sequence[CodeCell]) -> tuple[CodeCell, ...]:
    """Return the cells. Raises `UnreadableFile` if they contain too much code."""
    longest, total = max((len(cell.source) for cell in cells), default=0), sum(len(cell.source) for cell in cells)
    if longest > MAX_TEXT or total > MAX_CODE:
        raise UnreadableFile(
            f"contains more code than can be graded ({MAX_TEXT:,} characters a cell, {MAX_CODE:,} in all): "
            "remove the data from it"
        )
    return tuple(cells)


def _is_locked(cell: dict) -> bool:
    marks = cell.get("metadata", {}).get("nbgrader", {})
    return bool(marks.get("locked") or marks.get("grade")) and not marks.get("solution")


def _replace_magics(source: str) -> str:
    """Return a cell without IPython's magics. A line with a magic becomes `pass` if Python cannot parse it."""
    if not any(sign in source for sign in "%!?"):
        return source
    lines = source.split("\n")
    if cell_magic := re.match(r"\s*%%(\w+)", source):
        if cell_magic[1] not in RUNNING_MAGICS:
            return ""
        lines[cell_magic[0].count("\n")] = ""
    for _ in range(MAX_MAGICS):
        index = _find_syntax_error("\n".join(lines)) - 1
        if not (0 <= index < len(lines) and _MAGIC.fullmatch(lines[index])):
            break
        goes_on, indent = lines[index].endswith("\\"), lines[index][: -len(lines[index].lstrip())]
        lines[index] = f"{indent}pass"
        while goes_on and (index := index + 1) < len(lines):
            goes_on, lines[index] = lines[index].endswith("\\"), ""
    return "\n".join(lines)


def _find_syntax_error(source: str) -> int:
    """Return the number of the line with the first syntax error, or 0 if there is none."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return error.lineno or 0
    except (ValueError, RecursionError, MemoryError):
        return 0
    return 0
