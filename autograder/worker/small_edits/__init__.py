"""Small edits of code, one list for two uses: turned on an answer they find its mistake, on a solution they make one.

Each is a single change of the text, so that all else stays as it was written.
"""

import ast
import itertools
from collections.abc import Collection, Iterator

from ..reading.definitions import parse_source
from . import calls, names, rewrites, statements
from .edit import SmallEdit, Text
from .scope import scopes

MAX_EDITS = 5000  # of one text: more would take too long
MAX_CHARACTERS = 20_000  # characters of a definition: what is longer holds data, and each number of it would be tried


def small_edits(source: str, only: Collection[str] | None = None, around: str = "") -> list[SmallEdit]:
    """The small edits of what a source text defines at its top level; of two definitions of one name the last counts.

    Some are no valid Python, and some change nothing: only trying them tells. Those that are more often what was meant
    come first. `around` is code that may import what the source uses.
    """
    if (tree := parse_source(source)) is None:
        return []
    text = Text(source, around)
    last: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (only is None or node.name in only):
            last[node.name] = node
    nodes = [node for node in last.values() if len(text.code(node)) <= MAX_CHARACTERS]
    try:
        candidates = list(itertools.islice((edit for node in nodes for edit in _edits_in(node, text)), MAX_EDITS))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    distinct = {}
    for edit in sorted(candidates, key=lambda edit: edit.rank):
        distinct.setdefault((edit.start, edit.end, edit.new), edit)
    return list(distinct.values())


def _edits_in(definition: ast.FunctionDef | ast.ClassDef, text: Text) -> Iterator[SmallEdit]:
    streams = [statements.edits_of_body(definition, text)]
    for node, scope in scopes(definition, text):
        streams += (rewrites.edits(node, text), calls.edits(node, text, scope))
        streams += (names.edits(node, text, scope), statements.edits(node, text))
    for kind, place, new in itertools.chain.from_iterable(streams):
        start, end = place if isinstance(place, tuple) else text.span(place)
        if edit := text.edit(kind, start, end, new):
            yield edit
