"""Hashes of pieces of code, which are equal in copied answers even if names, comments and layout were changed.

The pieces are overlapping runs of consecutive nodes of the syntax tree.
"""

import ast
import hashlib
from collections.abc import Iterator

from .definitions import find_definition, parse_source
from .reach import is_constant_statement

RUN_NODES = 6  # number of nodes in a run, about one expression
MAX_CHARACTERS = 20_000  # longer cells are not compared; most answers have a thousand characters


def hash_runs(source: str, name: str) -> set[int]:
    """Return the hashes of all runs of syntax-tree nodes in a definition. They are the same in every process."""
    return {digest for digest, _ in _locate_runs(source, name)}


def find_lines_with_runs(source: str, name: str, digests: set[int]) -> set[int]:
    """Return the numbers of a definition's lines (in its cell, from 1) that contain a run with one of these hashes."""
    return {line for digest, lines in _locate_runs(source, name) if digest in digests for line in lines}


def _locate_runs(source: str, name: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    if len(source) > MAX_CHARACTERS:
        return
    try:
        definition = find_definition(parse_source(source), name)
        inner = list(ast.walk(definition)) if definition else []
        assigned_names = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        local_names = assigned_names | {node.arg for node in inner if isinstance(node, ast.arg)}
        nodes = list(_yield_tokens(definition, local_names, 0)) if definition else []
    except (RecursionError, MemoryError):
        return
    for start in range(len(nodes) - RUN_NODES + 1):
        texts, lines = zip(*nodes[start : start + RUN_NODES], strict=True)
        data = "\0".join(texts).encode("utf-8", "replace")
        yield int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big"), lines


def _yield_tokens(node: ast.AST, local_names: set[str], line: int) -> Iterator[tuple[str, int]]:
    """Yield (token, line) for each node's type, and for its name or constant. All local names give the same token."""
    line = getattr(node, "lineno", line)
    yield type(node).__name__, line
    if isinstance(node, ast.Name):
        yield "name" if node.id in local_names else node.id, line
    elif isinstance(node, ast.Attribute):
        yield node.attr, line
    elif isinstance(node, ast.Constant):
        yield repr(node.value)[:80], line
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        if field == "body" and children and is_constant_statement(children[0]):
            children = children[1:]
        for child in children:
            if isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                yield from _yield_tokens(child, local_names, line)
