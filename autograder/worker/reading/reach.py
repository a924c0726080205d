"""A graph of an answer's top-level statements, which finds all statements that affect a function."""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import symtable
from collections.abc import Iterable

from .cells import CodeCell
from .definitions import parse_source, walk_statements

Placed = tuple[str, ast.stmt]  # the file or cell that contains a statement, and the statement


class CallGraph:
    """An answer's top-level statements by the names that they bind or modify. `loose` statements do neither."""

    def __init__(self, cells: Iterable[CodeCell]) -> None:
        self.bound: dict[str, list[Placed]] = {}
        self.altered: dict[str, list[Placed]] = {}
        self.loose: list[Placed] = []
        self._used: dict[ast.stmt, list[str]] = {}
        for cell in cells:
            tree = parse_source("\n" * (cell.line - 1) + cell.source)
            for node in walk_statements(tree.body) if tree else ():  # A cell that does not parse never runs.
                self._add(cell.place, node)

    def _add(self, place: str, node: ast.stmt) -> None:
        names, altered_name = find_bound_names(node), _find_altered_name(node)
        for bound_name in names:
            self.bound.setdefault(bound_name, []).append((place, node))
        if altered_name:
            self.altered.setdefault(altered_name, []).append((place, node))
        if "*" in names or not (names or altered_name):
            self.loose.append((place, node))

    def find_used_statements(self, name: str) -> list[Placed]:
        """Return (place, statement) of a name's definition and of everything that it uses, directly or indirectly."""
        queue, names = [name], set[str]()
        statements = dict[Placed, None]()  # with the place, because cells with equal texts share their nodes
        while queue:
            name = queue.pop()
            if name in names:
                continue
            names.add(name)
            for placed in self.bound.get(name, []) + self.altered.get(name, []):
                if placed not in statements:
                    statements[placed] = None
                    queue += self._find_names_used(placed[1])
        return [*statements]

    def find_used_names(self, name: str) -> set[str]:
        return {bound_name for _, node in self.find_used_statements(name) for bound_name in find_bound_names(node)}

    def has_undefined_names(self, name: str) -> bool:
        """Return whether this name, or a name that its definition uses, is undefined in the answer."""
        used = {name, *(used for _, node in self.find_used_statements(name) for used in self._find_names_used(node))}
        return not used <= self.bound.keys() | vars(builtins).keys()

    def _find_names_used(self, node: ast.stmt) -> list[str]:
        if node not in self._used:
            self._used[node] = _find_used_globals(node)
        return self._used[node]


@functools.lru_cache(maxsize=32)
def build_call_graph(cells: tuple[CodeCell, ...]) -> CallGraph:
    return CallGraph(cells)


def clear_caches() -> None:
    """Drop the cached syntax trees of earlier answers, which need a hundred times as much memory as the text."""
    parse_source.cache_clear()
    build_call_graph.cache_clear()


def find_bound_names(node: ast.AST) -> list[str]:
    """Return the module-level names that a statement binds."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)]
    return []


def _find_used_globals(node: ast.stmt) -> list[str]:
    """Return the module-level names that a statement uses, without a function's parameters and local names."""
    try:
        tables = [symtable.symtable(ast.unparse(_remove_docstrings(node)), "<answer>", "exec")]
    except SyntaxError:  # The code parses, but does not compile.
        return []
    except RecursionError:  # The code is nested too deeply, so take every name, including local ones.
        return [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    names: list[str] = []
    for table in tables:
        tables += table.get_children()
        names += [
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
        ]
    return names


def _remove_docstrings(node: ast.stmt) -> ast.stmt:
    """Return a definition without its docstrings, which contain no names and take longest to unparse."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node
    node = copy.copy(node)
    body = [_remove_docstrings(statement) for statement in node.body if not is_constant_statement(statement)]
    node.body = body or [ast.Pass()]
    return node


def is_constant_statement(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _find_altered_name(node: ast.AST) -> str | None:
    """Return the name that a statement such as ``setattr(Module, "forward", ...)`` modifies, or None."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return None
    call = node.value
    return getattr(call.args[0], "id", None) if getattr(call.func, "id", "") == "setattr" and call.args else None
