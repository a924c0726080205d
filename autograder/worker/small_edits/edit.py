"""A small edit, the text that it changes, and the scope with the names that it may insert."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..reading.definitions import is_constant_statement

# Kind -> the words that follow "look at". Edits are tried in this order: kinds with few and likely edits come first.
KINDS = {
    "comparison": "its comparison",
    "mask": "which positions the mask selects",
    "keepdims": "whether the axis stays",
    "axis": "its axis",
    "truth": "a True or False in it",
    "condition": "its condition",
    "copy": "whether it changes its input",
    "array": "the type of its input",
    "gradient": "whether gradients pass",
    "dtype": "the dtype",
    "indentation": "its indentation",
    "call": "which calls in it are needed",
    "function": "which function it calls",
    "bounds": "where it begins and ends",
    "transposition": "which axes are swapped",
    "operator": "its operator",
    "sign": "its sign",
    "order": "the order of its parts",
    "dropped": "whether all of it is needed",
    "constant": "a number in it",
    "name": "a name in it",
    "scale": "the scale",
    "argument": "the arguments in it",
    "return": "what is returned, and when",
}

Node = ast.expr | ast.stmt | ast.keyword  # a node with a position in the text
Place = Node | tuple[int, int]
Edits = Iterator[tuple[str, Place, str]]  # kind, the node or span to replace, and the new text
_RANK = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class SmallEdit:
    kind: str  # one of `KINDS`
    start: int  # index of the first character to replace
    end: int  # index after the last character to replace
    new: str  # the new text
    line: int  # line of `start`, counted from 1
    last_line: int

    @property
    def rank(self) -> int:
        """Return the position of the edit's kind in the order in which edits are tried."""
        return _RANK[self.kind]

    @property
    def what(self) -> str:
        """Return the words for what the edit changes, such as ``its axis``."""
        return KINDS[self.kind]

    def apply_to(self, source: str) -> str:
        return source[: self.start] + self.new + source[self.end :]


class SourceText:
    """A source text that returns the positions of syntax nodes in characters, whereas `ast` counts bytes."""

    def __init__(self, source: str, around: str = "") -> None:
        self.torch = "torch" in source or "nn." in source or "import torch" in around
        self.numpy = "np." in source or "import numpy as np" in around
        self.source, self.lines = source, source.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def translate_parameter(self, numpy_name: str) -> str:
        """Return a parameter's NumPy name or, in code that uses only torch, its torch name (``dim`` for ``axis``)."""
        return {"axis": "dim", "keepdims": "keepdim"}[numpy_name] if self.torch and not self.numpy else numpy_name

    def _find_position(self, line: int, column: int) -> int:
        text = self.lines[line - 1]
        return self._starts[line - 1] + (column if text.isascii() else len(text.encode()[:column].decode()))

    def span_of(self, node: Node) -> tuple[int, int]:
        start = self._find_position(node.lineno, node.col_offset)
        return start, self._find_position(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def code_of(self, node: Node) -> str:
        start, end = self.span_of(node)
        return self.source[start:end]

    def operand_of(self, node: Node) -> str:
        """Return the text of a node, in parentheses if they might be needed next to an operator or before a dot."""
        is_plain = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Tuple))
        text = self.code_of(node)
        return text if is_plain and text[:1] not in "-" else f"({text})"

    def span_of_lines(self, first: int, last: int) -> tuple[int, int]:
        return self._starts[first - 1], self._starts[last] - 1

    def find_lines(self, node: ast.stmt) -> tuple[int, int] | None:
        """Return the span of a statement's lines without the last newline, or None if they contain other code."""
        start, end = self.span_of_lines(node.lineno, node.end_lineno or node.lineno)
        first, last = self.span_of(node)
        rest = self.source[last:end].split("#")[0]
        return None if self.source[start:first].strip() or rest.strip() else (start, end)

    def make_edit(self, kind: str, start: int, end: int, new: str) -> SmallEdit | None:
        """Return the edit that writes `new`, reduced to the characters that differ, or None if none differ."""
        old = self.source[start:end]
        if old == new:
            return None
        shortest, common = min(len(old), len(new)), 0
        while common < shortest and old[common] == new[common]:
            common += 1
        tail = 0
        while tail < shortest - common and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        start, end, new = start + common, end - tail, new[common : len(new) - tail]
        line = self.source.count("\n", 0, start) + 1
        return SmallEdit(kind, start, end, new, line, line + self.source.count("\n", start, end))


class NameScope(NamedTuple):
    """The names in a function, or in a class and its methods."""

    names: tuple[str, ...]  # parameters and assigned names, in order
    parameters: tuple[str, ...]
    attributes: tuple[str, ...]  # attributes that the class assigns to `self`


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def walk_scopes(node: ast.AST, scope: NameScope | None = None) -> Iterator[tuple[ast.AST, NameScope]]:
    """Yield (node, scope) of each node in a definition, except for docstrings, annotations and f-string parts."""
    if scope is None or isinstance(node, _DEFINITIONS):
        scope = _make_scope(node, scope.attributes if scope else ())
    for child in _list_children(node):
        yield child, scope
        yield from walk_scopes(child, scope)


def _list_children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        return []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        return [*defaults, *(statement for statement in node.body if not is_constant_statement(statement))]
    if isinstance(node, ast.AnnAssign):
        return [part for part in (node.target, node.value) if part is not None]
    return [child for child in ast.iter_child_nodes(node) if not is_constant_statement(child)]


def _make_scope(node: ast.AST, attributes: tuple[str, ...]) -> NameScope:
    is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs) if is_function else ()
    parameters = tuple(argument.arg for argument in arguments if argument.arg != "self")
    stored = [part for part in ast.walk(node) if isinstance(getattr(part, "ctx", None), ast.Store)]
    names = dict.fromkeys([*parameters, *(name.id for name in stored if isinstance(name, ast.Name))])
    if isinstance(node, ast.ClassDef):
        own = [part for part in stored if isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "self"]
        attributes = tuple(dict.fromkeys(part.attr for part in own))
    return NameScope(tuple(names), parameters, attributes)
