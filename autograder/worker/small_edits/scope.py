"""The names that a function, or the class it belongs to, could have meant."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..reading.reach import is_text
from .edit import Text

_TORCHS = {"axis": "dim", "keepdims": "keepdim"}


@dataclass(frozen=True)
class Scope:
    """A function, or a class with its functions."""

    names: tuple  # parameters and what is assigned, in order
    parameters: tuple
    attributes: tuple  # what the class assigns to `self`
    torch: bool
    numpy: bool

    def word(self, numpys: str) -> str:
        """What is called so in NumPy, as it is called here: ``dim`` for ``axis`` where there is torch alone."""
        return _TORCHS[numpys] if self.torch and not self.numpy else numpys


def scopes(node: ast.AST, text: Text, attributes: tuple[str, ...] = ()) -> Iterator[tuple[ast.AST, Scope]]:
    """(node, scope) of every node in a definition; docstrings, annotations and parts of f-strings are left out."""
    scope = _scope(node, text, attributes)
    if isinstance(node, ast.ClassDef):
        attributes = tuple(dict.fromkeys(_attributes(node)))
    yield from _below(node, scope, text, attributes)


def _below(node: ast.AST, scope: Scope, text: Text, attributes: tuple[str, ...]) -> Iterator[tuple[ast.AST, Scope]]:
    for child in _children(node):
        yield child, scope
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from scopes(child, text, attributes)
        else:
            yield from _below(child, scope, text, attributes)


def _children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        return []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        return [*defaults, *(statement for statement in node.body if not is_text(statement))]
    if isinstance(node, ast.AnnAssign):
        return [part for part in (node.target, node.value) if part is not None]
    return [child for child in ast.iter_child_nodes(node) if not is_text(child)]


def _scope(node: ast.AST, text: Text, attributes: tuple[str, ...]) -> Scope:
    is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs) if is_function else ()
    parameters = tuple(argument.arg for argument in arguments if argument.arg != "self")
    stored = (name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))
    names = tuple(dict.fromkeys([*parameters, *stored]))
    return Scope(names, parameters, attributes, text.torch, text.numpy)


def _attributes(node: ast.AST) -> Iterator[str]:
    stored = (part for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    return (part.attr for part in stored if isinstance(part.value, ast.Name) and part.value.id == "self")
