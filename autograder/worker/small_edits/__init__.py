"""Small edits of code. An edit that makes an answer pass reveals its mistake; edits of solutions are mutants for tests.

Each edit replaces one piece of the text and leaves everything else unchanged.
"""

import ast
import itertools
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..reading.answers import AnswerFile
from ..reading.definitions import build_call_graph, find_definition, parse_source
from .calls import edit_calls
from .edit import SmallEdit, SourceText, walk_scopes
from .rewrites import edit_arguments, edit_by_rows, edit_names, edit_statement

MAX_EDITS = 5000  # limit for the edits of one text, because trying more would take too long
MAX_CHARACTERS = 20_000  # longer definitions are not edited: they contain data, and every number would be tried


def find_small_edits(source: str, names: Collection[str] | None = None, around: str = "") -> list[SmallEdit]:
    """Return the small edits of a source's top-level definitions, of which the last one of each name counts.

    Likely edits come first. Some edits are invalid Python, and some have no effect, which is only found by trying them.
    `around`: other code of the same file, which may contain the imports.
    """
    if (tree := parse_source(source)) is None:
        return []
    text = SourceText(source, around)
    last: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (names is None or node.name in names):
            last[node.name] = node
    nodes = [node for node in last.values() if len(text.code_of(node)) <= MAX_CHARACTERS]
    try:
        candidates = list(itertools.islice((edit for node in nodes for edit in _find_edits_in(node, text)), MAX_EDITS))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    distinct = {}
    for edit in sorted(candidates, key=lambda edit: edit.rank):
        distinct.setdefault((edit.start, edit.end, edit.new), edit)
    return list(distinct.values())


def _find_edits_in(definition: ast.FunctionDef | ast.ClassDef, text: SourceText) -> Iterator[SmallEdit]:
    streams = [edit_arguments(definition, text)]
    for node, scope in walk_scopes(definition):
        streams += (edit_by_rows(node, text), edit_calls(node, text, scope))
        streams += (edit_names(node, text, scope), edit_statement(node, text))
    for kind, place, new in itertools.chain.from_iterable(streams):
        start, end = place if isinstance(place, tuple) else text.span_of(place)
        if edit := text.make_edit(kind, start, end, new):
            yield edit


MOST_TRIED, LONGEST_NEW = 1500, 2000  # number of edits of one answer that are tried, and characters of a new text


class AnswerEdit(NamedTuple):
    """A small edit of an answer, with the cell and the definition that it changes."""

    cell: int  # index of the cell
    name: str  # name of the definition that the edit changes
    start: int  # index of the definition's first character in the cell
    end: int  # index after its last character
    edit: SmallEdit


def find_edits_of_answer(answer: AnswerFile, name: str, ignored_names: Collection[str]) -> list[AnswerEdit]:
    """Return edits of all definitions that an exercise uses, except for `ignored_names`. Likely edits come first."""
    around = "\n".join(cell.source for cell in answer.cells)
    numbers = {id(cell): number for number, cell in enumerate(answer.cells)}
    answer_edits: list[AnswerEdit] = []
    for definition in sorted(build_call_graph(answer.cells).find_used_names(name) - set(ignored_names)):
        cell, _ = answer.definitions.get(definition, (None, 0))
        if cell is not None and (span := _find_span(cell.source, definition)):
            cell_number = numbers[id(cell)]
            edits = find_small_edits(cell.source, {definition}, around)
            answer_edits += [AnswerEdit(cell_number, definition, *span, edit) for edit in edits]
    answer_edits = [row for row in answer_edits if len(row.edit.new) <= LONGEST_NEW]
    answer_edits.sort(key=lambda row: (row.edit.rank, row.name != name))
    return answer_edits[:MOST_TRIED]


def _find_span(source: str, name: str) -> tuple[int, int] | None:
    definition = find_definition(parse_source(source), name)
    if not isinstance(definition, (ast.FunctionDef, ast.ClassDef)):
        return None
    first = min([definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)])
    return SourceText(source).span_of_lines(first, definition.end_lineno or first)
