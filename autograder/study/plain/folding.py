"""Decides in a syntax tree what is known already, such as ``1.0 is None``."""

import ast
import copy

from autograder.study.plain.trees import is_none, is_something, unstarred

LONG = 90  # characters of an expression that is better a statement


class Folder(ast.NodeTransformer):
    """Decides what can be decided now.

    Parameters
    ----------
    given : collection of str
        Names that are not None.
    """

    def __init__(self, given=()):
        self.given = given

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and is_none(node.comparators[0]):
            if is_none(node.left):
                return ast.Constant(isinstance(node.ops[0], ast.Is))
            if is_something(node.left) or getattr(node.left, "id", "") in self.given:
                return ast.Constant(isinstance(node.ops[0], ast.IsNot))
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        node.body, node.orelse = _decided(node.body, node.test, True), _decided(node.orelse, node.test, False)
        return node

    def visit_If(self, node):
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        one = isinstance(node.right, ast.Constant) and node.right.value == 1.0
        return node.left if one and isinstance(node.op, ast.Div) else node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Tuple):
            if isinstance(node.slice, ast.Constant):
                return node.value.elts[node.slice.value]
            if ast.unparse(node.slice) == "::-1":
                return ast.Tuple(node.value.elts[::-1], ast.Load())
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        return unstarred(node)


def _decided(node, test, holds):
    """The expression where a test is known to hold, or not to."""

    class Decide(ast.NodeTransformer):
        def visit_IfExp(self, inner):
            self.generic_visit(inner)
            if ast.dump(inner.test) == ast.dump(test):
                return inner.body if holds else inner.orelse
            return inner

    return Decide().visit(node)


def uses(function, param, value):
    """How often a function uses a parameter, once it is known that the value is not None."""
    function = Folder({param} if is_something(value) else ()).visit(copy.deepcopy(function))
    return sum(isinstance(n, ast.Name) and n.id == param for n in ast.walk(function))


def unfolded(statement):
    """A long ``x = a if test else b`` as an `if` statement; nothing for ``x = x``."""
    if not isinstance(statement, (ast.Assign, ast.Return)) or statement.value is None:
        return statement
    if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == ast.unparse(statement.value):
        return []
    value = statement.value
    if not isinstance(value, ast.IfExp) or len(ast.unparse(statement)) < LONG:
        return statement
    yes, no = copy.deepcopy(statement), copy.deepcopy(statement)
    yes.value, no.value = value.body, value.orelse
    return ast.If(value.test, [yes], [no])
