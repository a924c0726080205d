"""Functions that find, compare and remove definitions in code cells, and a graph of the statements that they use."""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import re
import symtable
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .cells import CodeCell

MAX_REMEMBERED = 256  # number of cells for which results are cached, because each cell is examined many times
_BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError)
_STUB_ERROR = "NotImplementedError"


@dataclass(frozen=True)
class ExerciseSpec:
    """The parts of an exercise that are needed to find and examine its answer."""

    name: str
    stub: str
    bans: tuple[str, ...] = ()


@functools.lru_cache(MAX_REMEMBERED)
def parse_source(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell, or None if it does not parse. The tree is cached: do not modify it."""
    try:
        return ast.parse(source)
    except _BROKEN:
        return None


@functools.lru_cache(MAX_REMEMBERED)
def find_definitions(source: str) -> dict[str, int]:
    """Return name -> line for a cell's top-level definitions. A cell that does not parse is searched with a pattern."""
    names: dict[str, int] = {}
    if (tree := parse_source(source)) is None:
        line, at = 1, 0
        for match in re.finditer(r"^(?:async\s+def|def|class)\s+(\w+)", source, re.MULTILINE):
            line, at = line + source.count("\n", at, match.start()), match.start()
            names[match[1]] = line
        return names
    for node in walk_statements(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[node.name] = node.lineno
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id: node.lineno for target in targets if isinstance(target, ast.Name)}
    return names


def find_definition(tree: ast.Module | ast.ClassDef | None, name: str) -> Any:
    """Return the last definition of a name in the body of a syntax tree, or None."""
    return next((node for node in reversed(tree.body if tree else ()) if getattr(node, "name", None) == name), None)


def find_unread_argument(source: str, name: str) -> tuple[str, str] | None:
    """Return (function, argument) for an argument that a function, or a method of a class, never reads; or None."""
    definition = find_definition(parse_source(source), name)
    functions = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for function in (node for node in functions if isinstance(node, ast.FunctionDef)):
        names_read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for argument in function.args.args:
            if argument.arg not in {"self", *names_read} and not argument.arg.startswith("_"):
                return function.name, argument.arg
    return None


@functools.lru_cache(MAX_REMEMBERED)
def find_first_line(source: str, name: str) -> int:
    """Return the line of a cell where the body of a definition begins, or the line of the `raise` in a stub."""
    if (definition := find_definition(parse_source(source), name)) is None:
        return find_definitions(source)[name]
    error_lines = [node.lineno for node in ast.walk(definition) if isinstance(node, ast.Raise) and _is_stub_error(node)]
    while isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and definition.body:
        has_text = ast.get_docstring(definition, clean=False) is not None and len(definition.body) > 1
        definition = definition.body[has_text]
    return min(error_lines, default=definition.lineno)


def _is_stub_error(node: ast.AST) -> bool:
    return ast.unparse(node) == f"raise {_STUB_ERROR}"


def walk_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, including those nested in `if`, `try` and the like."""
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            for inner in ("finalbody", "orelse", "body"):
                stack += reversed(getattr(node, inner, []))


@functools.lru_cache(MAX_REMEMBERED)
def find_docstring_lines(source: str) -> frozenset[int]:
    """Return the numbers of all lines in docstrings of functions and classes; empty if the source does not parse."""
    tree = parse_source(source)
    nodes = [node for node in (ast.walk(tree) if tree else ()) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    texts = [node.body[0] for node in nodes if ast.get_docstring(node, clean=False) is not None]
    return frozenset(line for text in texts for line in range(text.lineno, (text.end_lineno or text.lineno) + 1))


def is_stub(source: str, name: str, stub: str) -> bool:
    """Return whether a cell's definition of a name equals the stub, or its body is only the stub's `raise`."""
    if _STUB_ERROR in stub and _STUB_ERROR not in source:
        return False  # This quick test decides most cases.
    definition = find_definition(parse_source(source), name)
    if isinstance(definition, ast.FunctionDef):
        body = definition.body[ast.get_docstring(definition, clean=False) is not None :]
        if len(body) == 1 and isinstance(body[0], ast.Raise) and _is_stub_error(body[0]):
            return True
    return dump_definition(source, name) == dump_definition(stub, name)


def read_docstring(source: str, name: str) -> str | None:
    """Return the docstring of a definition in a cell, or None if the docstring or the definition is missing."""
    definition = find_definition(parse_source(source), name)
    is_one = isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    return ast.get_docstring(definition) if is_one else None


def remove_bindings(source: str, names: Collection[str]) -> str:
    """Return a cell's source, with `pass` in the lines of top-level statements that bind one of these names."""
    if (tree := parse_source(source)) is None or not names & find_definitions(source).keys():
        return source
    lines = source.split("\n")
    for node in reversed(tree.body):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        bound_names = {getattr(node, "name", None), *(getattr(target, "id", None) for target in targets)}
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.AugAssign)
        if isinstance(node, kinds) and bound_names & set(names):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            last = node.end_lineno or node.lineno
            lines[first - 1 : last] = ["pass", *[""] * (last - first)]
    return "\n".join(lines)


@functools.lru_cache(MAX_REMEMBERED)
def dump_definition(source: str, name: str) -> str | None:
    """Return a definition's syntax tree as text, without docstrings; None if it is missing or does not parse."""
    try:
        # Parsed again instead of cached, because the tree is modified below.
        definition = find_definition(ast.parse(source), name)
    except _BROKEN:
        return None
    for inner in ast.walk(definition) if definition else ():
        if isinstance(inner, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(inner, clean=False) is not None:
            inner.body = inner.body[1:]
    return definition and ast.dump(definition)


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
