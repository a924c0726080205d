"""Fewer methods: what is one expression stands where it is called, so that none points at a step that was replaced."""

import ast
import copy

from autograder.study.plain.folding import Folder
from autograder.study.plain.trees import (
    NotPlain,
    bind,
    free_names,
    has_stars,
    of_self,
    simple,
    stored_in,
    substituted,
    unstarred,
)

_WIDTH = 110  # of a line that still reads well


def with_fewer_methods(node, contract):
    """The class without methods of one expression, and without those that nobody calls.

    Parameters
    ----------
    node : ast.ClassDef
    contract : ast.ClassDef
        Its methods stay, and those that others call.
    """
    own = {part.name for part in contract.body if isinstance(part, ast.FunctionDef)} | {"forward"}
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and method.name not in own and method.name[:2] != "__":
            others = _with_method_put_in([part for part in node.body if part is not method], method)
            if others is not None:
                node.body = others
                return with_fewer_methods(node, contract)
    return node


def _with_method_put_in(others, method):
    """The other methods with one in place of its calls, or None where it has to stay."""
    inliner, done = _MethodInliner(method), []
    for part in others:
        text = set(ast.unparse(part).splitlines())
        try:
            part = inliner.visit(copy.deepcopy(part))
        except NotPlain:
            return None
        lines = set(ast.unparse(part).splitlines()) - text
        if any(of_self(n, method.name) for n in ast.walk(part)) or any(len(line) + 4 > _WIDTH for line in lines):
            return None
        done.append(part)
    return done


class _MethodInliner(ast.NodeTransformer):
    """Puts a method of one expression where it is called."""

    def __init__(self, method):
        self.method, self.body = method, method.body

    def visit_Call(self, node):
        self.generic_visit(node)
        if not of_self(node.func, self.method.name):
            return node
        node = unstarred(node)
        if len(self.body) != 1 or not isinstance(self.body[0], ast.Return) or has_stars(node):
            raise NotPlain("more than one expression")
        expression, bound = self.body[0].value, bind(self.method, node, skip_self=True)
        names = [n.id for n in ast.walk(expression) if isinstance(n, ast.Name)]
        twice = any(names.count(name) > 1 and not simple(value) for name, value in bound.items())
        if twice or any(free_names(value) & stored_in([expression]) for value in bound.values()):
            raise NotPlain("its arguments would mean something else")
        return Folder().visit(substituted(expression, bound))
