"""The small edits of an answer: of what an exercise's definition leads to, in whichever cells that stands."""

import ast
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from ..reading.answers import AnswerFile, CodeCell
from ..reading.definitions import definition_in, parse_source
from ..reading.reach import statements_of
from . import small_edits
from .edit import KINDS, SmallEdit, Text

MOST_TRIED, LONGEST_NEW = 1500, 2000  # edits of one answer, and characters that one of them writes


class AnswerEdit(NamedTuple):
    """A small edit, and where in an answer it is."""

    cell: int  # its number
    name: str  # of the definition that it changes
    start: int  # the characters of the cell that are this definition
    end: int
    edit: SmallEdit


def edits_of_answer(answer: AnswerFile, name: str, others: Collection[str]) -> list[AnswerEdit]:
    """Every edit of what an exercise's definition leads to; those that are more often what was meant come first."""
    around = "\n".join(cell.source for cell in answer.cells)
    numbers = {id(cell): number for number, cell in enumerate(answer.cells)}
    answer_edits: list[AnswerEdit] = []
    for definition in sorted(statements_of(answer.cells).names_reached(name) - set(others)):
        cell, _ = answer.definitions.get(definition, (None, 0))
        if cell is not None and (span := _span(cell.source, definition)):
            at = numbers[id(cell)]
            edits = small_edits(cell.source, {definition}, around)
            answer_edits += [AnswerEdit(at, definition, *span, edit) for edit in edits]
    answer_edits = [row for row in answer_edits if len(row.edit.new) <= LONGEST_NEW]
    answer_edits.sort(key=lambda row: (row.edit.rank, row.name != name))
    return answer_edits[:MOST_TRIED]


def _span(source: str, name: str) -> tuple[int, int] | None:
    definition = definition_in(parse_source(source), name)
    if not isinstance(definition, (ast.FunctionDef, ast.ClassDef)):
        return None
    first = min([definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)])
    return Text(source).lines_span(first, definition.end_lineno or first)


def rows_of(edits: Iterable[AnswerEdit]) -> list[list]:
    return [[*row[:4], row.edit.kind, row.edit.start, row.edit.end, row.edit.new] for row in edits]


def edits_in(rows: object, cells: Sequence[CodeCell]) -> list[AnswerEdit]:
    """The edits again, their lines counted here; a row that fits none of these cells is left out."""
    texts, answer_edits = [Text(cell.source) for cell in cells], list[AnswerEdit]()
    for row in rows if isinstance(rows, list) else ():
        if _is_edit(row, cells):
            at, name, first, last, *change = row
            if edit := texts[at].edit(*change):
                answer_edits.append(AnswerEdit(at, name, first, last, edit))
    return answer_edits


def _is_edit(row: object, cells: Sequence[CodeCell]) -> bool:
    if not isinstance(row, list) or [type(part) for part in row] != [int, str, int, int, str, int, int, str]:
        return False
    at, _, first, last, kind, start, end, _ = row
    return kind in KINDS and 0 <= at < len(cells) and 0 <= first <= start <= end <= last <= len(cells[at].source)
