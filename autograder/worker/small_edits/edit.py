"""One small edit, and the text that it is made in."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

# What each kind changes, to follow "look at". They are tried in this order: few and often right ones first.
KINDS = {
    "comparison": "its comparison",
    "mask": "which places the mask means",
    "keepdims": "whether the axis stays",
    "axis": "its axis",
    "truth": "a True or False in it",
    "condition": "its condition",
    "copy": "whether it changes what came in",
    "array": "what kind of thing comes in",
    "gradient": "whether gradients get through",
    "dtype": "the dtype",
    "indentation": "how far it is indented",
    "call": "which calls in it are needed",
    "function": "which function it calls",
    "bounds": "where it begins and where it ends",
    "transposition": "which axes are swapped",
    "operator": "its operator",
    "sign": "its sign",
    "order": "the order of things in it",
    "bracket": "where its brackets close",
    "dropped": "whether all of it has to be there",
    "constant": "a number in it",
    "name": "a name in it",
    "scale": "the scale",
    "argument": "the arguments in it",
    "return": "what is returned, and when",
    "new axis": "where an axis of length one is needed",
    "statement order": "what has to be done first",
}

Node = ast.expr | ast.stmt | ast.keyword  # what has a place in the text
Place = Node | tuple[int, int]
Edits = Iterator[tuple[str, Place, str]]  # kind, what is replaced, new text
_RANK = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class SmallEdit:
    kind: str  # one of `KINDS`
    start: int  # the characters that it replaces: no more than differ
    end: int
    new: str  # what stands there then
    line: int  # of `start`, counted from 1
    last_line: int

    @property
    def rank(self) -> int:
        """How early it is worth trying."""
        return _RANK[self.kind]

    @property
    def what(self) -> str:
        """What on the line it changes, in words: ``its axis``."""
        return KINDS[self.kind]

    def apply_to(self, source: str) -> str:
        return source[: self.start] + self.new + source[self.end :]


class Text:
    """A source text and where the nodes of its syntax tree stand in it; `ast` counts bytes, and this characters."""

    def __init__(self, source: str, around: str = "") -> None:
        self.torch = "torch" in source or "nn." in source or "import torch" in around
        self.numpy = "np." in source or "import numpy as np" in around
        self.source, self.lines = source, source.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def _at(self, line: int, column: int) -> int:
        text = self.lines[line - 1]
        return self._starts[line - 1] + (column if text.isascii() else len(text.encode()[:column].decode()))

    def span(self, node: Node) -> tuple[int, int]:
        last = node.end_lineno or node.lineno
        return self._at(node.lineno, node.col_offset), self._at(last, node.end_col_offset or node.col_offset)

    def code(self, node: Node) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def operand(self, node: Node) -> str:
        """The text of a node as it can stand beside an operator, or before a dot."""
        plain = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Tuple))
        text = self.code(node)
        return text if plain and text[:1] not in "-" else f"({text})"

    def lines_span(self, first: int, last: int) -> tuple[int, int]:
        return self._starts[first - 1], self._starts[last] - 1

    def line_span(self, node: ast.stmt) -> tuple[int, int] | None:
        """The whole lines of a statement, without the last line's end; None where something else stands on them."""
        start, end = self.lines_span(node.lineno, node.end_lineno or node.lineno)
        first, last = self.span(node)
        rest = self.source[last:end].split("#")[0]
        return None if self.source[start:first].strip() or rest.strip() else (start, end)

    def edit(self, kind: str, start: int, end: int, new: str) -> SmallEdit | None:
        """The edit that puts this text there, cut down to what differs; None where nothing does."""
        old = self.source[start:end]
        if old == new:
            return None
        shortest, same = min(len(old), len(new)), 0
        while same < shortest and old[same] == new[same]:
            same += 1
        tail = 0
        while tail < shortest - same and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        start, end, new = start + same, end - tail, new[same : len(new) - tail]
        line = self.source.count("\n", 0, start) + 1
        return SmallEdit(kind, start, end, new, line, line + self.source.count("\n", start, end))
