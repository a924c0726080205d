"""Search for banned library functions in the source of an answer.

Only code that the exercise uses counts, so a cell may compare the answer with torch's function. Only imported names
count, because an answer may use any names for its own functions. `guards.py` finds all other uses at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .cells import CodeCell
from .definitions import CallGraph, ExerciseSpec, build_call_graph

# Banned function -> other names of the same function, and of functions that use it.
_KIN = {
    "MultiheadAttention": ("multi_head_attention_forward", "native_multi_head_attention", "Transformer"),
    "scaled_dot_product_attention": ("scaled_dot_product", "flex_attention"),
    "autograd": ("backward", "func.grad", "func.hessian", "vjp", "jvp", "jac", "softmax_backward", "make_dual", "ops."),
}
KNOWN = tuple(_KIN)
_LONGEST_PATH = 24  # limit for the names at the end of a dotted path that are examined

# Syntax nodes that give an object a new name.
Naming = ast.Import | ast.ImportFrom | ast.Assign | ast.NamedExpr | ast.AnnAssign


def find_shortcut(cells: tuple[CodeCell, ...], exercise: ExerciseSpec, is_notebook: bool) -> tuple[str, str] | None:
    """Return the first use of a name that the exercise bans, as (name, place), or None if there is none."""
    banned_prefixes = add_synonyms(exercise.bans)
    try:
        source = _ReachableCode(build_call_graph(cells), exercise.name)
        for place, nodes in source.nodes:
            for inner in nodes:
                path = source.resolve_path(inner)
                if path and isinstance(inner, ast.expr) and is_banned_path(path, banned_prefixes):
                    return path, f"{place}, line {inner.lineno}" if is_notebook else f"line {inner.lineno}"
    except RecursionError:
        return "code that is nested too deeply to be read", "its definition"
    return None


class _ReachableCode:
    """The top-level statements that affect a function, and the imported objects to which names in them refer."""

    def __init__(self, statements: CallGraph, name: str) -> None:
        self.nodes = [(place, list(ast.walk(node))) for place, node in statements.find_used_statements(name)]
        naming = [node for _, nodes in self.nodes for node in nodes if isinstance(node, Naming)]
        self.aliases: dict[str, str] = {}
        self.paths: dict[ast.AST, str | None] = {}
        for _ in range(3):  # Three rounds resolve an alias of an alias of an alias.
            self.paths.clear()
            self._read_aliases(naming)
        self.paths.clear()

    def _read_aliases(self, nodes: Iterable[Naming]) -> None:
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.partition(".")[0]
                    self.aliases[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif not isinstance(node, ast.ImportFrom) and node.value and (path := self.resolve_path(node.value)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        self.aliases.setdefault(target.id, path)

    def resolve_path(self, node: ast.AST) -> str | None:
        """Return the dotted path of an expression that refers to an imported object, or None. Results are cached."""
        if node not in self.paths:
            path = self._resolve_new_path(node)
            self.paths[node] = path and ".".join(path.split(".")[-_LONGEST_PATH:])
        return self.paths[node]

    def _resolve_new_path(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.resolve_path(node.value)
            return f"{base}.{node.attr}" if base else None
        return None


def add_synonyms(bans: Iterable[str]) -> tuple[str, ...]:
    """Return the prefixes of banned names, including other names of the same functions."""
    return tuple(prefix for ban in bans for prefix in (ban, *_KIN.get(ban, ())))


def is_banned_path(path: str, banned_prefixes: tuple[str, ...]) -> bool:
    """Return whether a dotted path or any suffix of it (`a.b.c`, `b.c` or `c`) starts with a banned prefix."""
    return any(end.startswith(banned_prefixes) for end in list_path_endings(path))


def list_path_endings(path: str) -> list[str]:
    """Return all suffixes of a dotted path without leading underscores: ``a._b.c``, ``b.c`` and ``c``."""
    names = path.split(".")[-_LONGEST_PATH:]
    return [".".join(names[number:]).lstrip("_") for number in range(len(names))]
