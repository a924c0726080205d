"""Merging of a learner's chapter with a newer version, which adds new prose and exercises and keeps the answers."""

import difflib
from collections import defaultdict

from autograder.chapters.answers import parse_script
from autograder.worker.reading.cells import Cell, read_cells
from autograder.worker.reading.definitions import find_definitions

Key = tuple[str, str]  # (kind, text) of a cell


class CannotMerge(Exception):
    """Raised if a merge would lose something that the learner wrote."""


def merge(before: str, mine: str, new: str) -> str:
    """Return the newer text of a chapter with the learner's own cells inserted.

    Unchanged cells are replaced with their new version. A cell that the learner wrote replaces the stub if it defines
    an exercise. Otherwise it is inserted after the cell that it followed.

    Raises `CannotMerge` if a definition of the learner would be lost.
    """
    old, fresh = read_cells(before), read_cells(new)
    places = _places(list(map(_key, old)), list(map(_key, fresh)))
    answers, other_cells, untouched_keys = _own_cells(old, read_cells(mine), fresh, places)
    answered = {name for cell in answers.values() for name in find_definitions(cell.source)}
    taken_out = set(map(_key, old)) - untouched_keys
    parts = [_head(mine if _head(mine) != _head(before) else new), *other_cells[-1]]
    for at, cell in enumerate(fresh):
        if at in answers:
            parts.append(_text(answers[at]))
        elif cell.options.get("exercise") not in answered and _key(cell) not in taken_out:
            parts.append(_text(cell))
        parts += other_cells[at]
    text = "".join(parts)
    _check_definitions_survive(mine, text, old)
    return text


def _own_cells(
    old: list[Cell], mine: list[Cell], fresh: list[Cell], places: dict[int, int]
) -> tuple[dict[int, Cell], dict[int, list[str]], set[Key]]:
    """Return new cell -> the learner's answer, new cell -> the learner's cells after it, and the unchanged cells."""
    first: dict[Key, int] = {}
    for number, cell in enumerate(old):
        first.setdefault(_key(cell), number)
    stubs = {cell.options["exercise"]: number for number, cell in enumerate(fresh) if "exercise" in cell.options}
    answers, other_cells = dict[int, Cell](), defaultdict[int, list[str]](list)
    untouched_keys, at = set[Key](), -1
    for cell in mine:
        if _key(cell) in first:
            untouched_keys.add(_key(cell))
            at = max(at, places[first[_key(cell)]])
            continue
        defined = find_definitions(cell.source) if cell.kind == "code" else ()
        named = [stubs[name] for name in defined if name in stubs and stubs[name] not in answers]
        if named:
            answers[named[0]] = cell
            at = max(at, named[0])
        else:
            other_cells[at].append(_text(cell))
    return answers, other_cells, untouched_keys


def _places(old: list[Key], fresh: list[Key]) -> dict[int, int]:
    """Return index of each old cell -> index of the equal new cell, or of the new cell before its place."""
    places: dict[int, int] = {}
    for kind, start, end, first, last in difflib.SequenceMatcher(None, old, fresh, autojunk=False).get_opcodes():
        for number in range(start, end):
            places[number] = first + number - start if kind == "equal" else last - 1
    return places


def _key(cell: Cell) -> Key:
    return cell.kind, cell.source.strip()


def _head(text: str) -> str:
    return text[: len(text) - sum(len(cell.raw) for cell in read_cells(text))]


def _text(cell: Cell) -> str:
    """Return the cell with a marker line above it and an empty line below it."""
    marked = cell.raw if cell.raw.startswith("# %%") else f"# %%\n{cell.raw}"
    return f"{marked.rstrip()}\n\n"


def _check_definitions_survive(mine: str, text: str, old: list[Cell]) -> None:
    """Raise `CannotMerge` unless each of the learner's definitions is still the last one of its name."""
    handed_out = {cell.source.strip() for cell in old}
    new_definitions = parse_script("", text).definitions
    for name, (cell, _) in parse_script("", mine).definitions.items():
        new_source = new_definitions[name][0].source.strip() if name in new_definitions else None
        if cell.source.strip() not in handed_out and new_source != cell.source.strip():
            raise CannotMerge(name)
