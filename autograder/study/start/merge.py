"""A merge of a learner's chapter with a newer version, which adds new prose and exercises and keeps the answers."""

import difflib
from collections import defaultdict

from autograder.chapters.answers import parse_script
from autograder.worker.reading.cells import Cell, read_cells
from autograder.worker.reading.definitions import find_definitions

Key = tuple[str, str]  # (kind, text) of a cell


class CannotMerge(Exception):
    """Raised if a merge would lose something that the learner wrote."""


def merge_scripts(old_text: str, own_text: str, new_text: str) -> str:
    """Return the newer text of a chapter with the learner's own cells inserted.

    Unchanged cells are replaced with their new version. A cell that the learner wrote replaces the stub if it defines
    an exercise. Otherwise it is inserted after the cell that it followed.

    Raises `CannotMerge` if a definition of the learner would be lost.
    """
    old, new = read_cells(old_text), read_cells(new_text)
    places = _match_places(list(map(_make_key, old)), list(map(_make_key, new)))
    answers, other_cells, untouched_keys = _find_own_cells(old, read_cells(own_text), new, places)
    answered_names = {name for cell in answers.values() for name in find_definitions(cell.source)}
    taken_out = set(map(_make_key, old)) - untouched_keys
    is_changed = _get_first_line(own_text) != _get_first_line(old_text)
    parts = [_get_first_line(own_text if is_changed else new_text), *other_cells[-1]]
    for i, cell in enumerate(new):
        if i in answers:
            parts.append(_format_cell(answers[i]))
        elif cell.options.get("exercise") not in answered_names and _make_key(cell) not in taken_out:
            parts.append(_format_cell(cell))
        parts += other_cells[i]
    text = "".join(parts)
    _check_definitions_survive(own_text, text, old)
    return text


def _find_own_cells(
    old: list[Cell], own: list[Cell], new: list[Cell], places: dict[int, int]
) -> tuple[dict[int, Cell], dict[int, list[str]], set[Key]]:
    """Return index in `new` -> the learner's answer, index in `new` -> own cells after it, and the unchanged cells."""
    first: dict[Key, int] = {}
    for number, cell in enumerate(old):
        first.setdefault(_make_key(cell), number)
    stubs = {cell.options["exercise"]: number for number, cell in enumerate(new) if "exercise" in cell.options}
    answers, other_cells = dict[int, Cell](), defaultdict[int, list[str]](list)
    untouched_keys, index = set[Key](), -1
    for cell in own:
        if _make_key(cell) in first:
            untouched_keys.add(_make_key(cell))
            index = max(index, places[first[_make_key(cell)]])
            continue
        names = find_definitions(cell.source) if cell.kind == "code" else ()
        stub_keys = [stubs[name] for name in names if name in stubs and stubs[name] not in answers]
        if stub_keys:
            answers[stub_keys[0]] = cell
            index = max(index, stub_keys[0])
        else:
            other_cells[index].append(_format_cell(cell))
    return answers, other_cells, untouched_keys


def _match_places(old: list[Key], new: list[Key]) -> dict[int, int]:
    """Return index of each old cell -> index of the equal new cell, or of the new cell before its place."""
    places: dict[int, int] = {}
    for kind, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for number in range(start, end):
            places[number] = first + number - start if kind == "equal" else last - 1
    return places


def _make_key(cell: Cell) -> Key:
    return cell.kind, cell.source.strip()


def _get_first_line(text: str) -> str:
    return text[: len(text) - sum(len(cell.raw) for cell in read_cells(text))]


def _format_cell(cell: Cell) -> str:
    """Return the cell with a marker line above it and an empty line below it."""
    source = cell.raw if cell.raw.startswith("# %%") else f"# %%\n{cell.raw}"
    return f"{source.rstrip()}\n\n"


def _check_definitions_survive(own_text: str, text: str, old: list[Cell]) -> None:
    """Raise `CannotMerge` unless each of the learner's definitions is still the last one of its name."""
    handed_out = {cell.source.strip() for cell in old}
    new_definitions = parse_script("", text).definitions
    for name, (cell, _) in parse_script("", own_text).definitions.items():
        new_source = new_definitions[name][0].source.strip() if name in new_definitions else None
        if cell.source.strip() not in handed_out and new_source != cell.source.strip():
            raise CannotMerge(name)
