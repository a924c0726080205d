"""Decides in a syntax tree what is known already, such as ``1.0 is None``."""

import ast
import copy
import itertools

from autograder.study.plain.trees import (
    flat,
    is_constant,
    is_itself,
    is_none,
    is_something,
    names_in,
    pairs,
    stored_in,
    stores,
    substituted,
    unstarred,
)

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
        right = node.right
        if isinstance(node.op, (ast.Div, ast.Mult)) and _is_one(right):
            return node.left
        if isinstance(node.op, ast.Mult) and isinstance(right, ast.BinOp) and isinstance(right.op, ast.Div):
            return ast.BinOp(node.left, ast.Div(), right.right) if _is_one(right.left) else node
        return node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        first, *others = node.values
        if isinstance(node.op, ast.And) or len(others) > 1:
            return node
        if is_none(first):
            return others[0]
        a_function = isinstance(others[0], ast.Lambda) and getattr(first, "id", "") in self.given
        return first if a_function or isinstance(first, ast.Lambda) else node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Tuple):
            if isinstance(node.slice, ast.Constant):
                return node.value.elts[node.slice.value]
            if ast.unparse(node.slice) == "::-1":
                return ast.Tuple(node.value.elts[::-1], ast.Load())
        return node

    def visit_JoinedStr(self, node):
        self.generic_visit(node)
        for number, part in enumerate(node.values):
            if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Constant) and part.conversion < 0:
                node.values[number] = ast.Constant(str(part.value.value))
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        return unstarred(node)


def _is_one(node):
    return isinstance(node, ast.Constant) and node.value == 1


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


def unfolded(body):
    """Statements as one would write them down.

    A long ``x = a if test else b`` is an `if` statement, and so is ``x = a if test else x``; there is no ``x = x``, and
    no test of what an early `return` has decided.
    """
    body = [_Unfolder().visit(part) for part in body]
    return _without_decided(flat([part for part in body if part is not None]))


def without_idle(body):
    """Statements without names for one number, and without a number that nobody needs, as options leave them behind."""
    for number, part in enumerate(body):
        name = getattr(part.targets[0], "id", None) if isinstance(part, ast.Assign) else None
        others = [n for other in body for n in ast.walk(other) if isinstance(n, ast.Name) and n.id == name]
        if name is None or sum(map(stores, others)) > 1:
            continue
        if number and _is_only_for(body[number - 1], part, body):
            body[number - 1].targets = part.targets
            return without_idle(body[:number] + body[number + 1 :])
        if is_constant(part.value) or (len(others) == 1 and _is_number(part.value)):
            rest = [Folder().visit(substituted(other, {name: part.value})) for other in body[number + 1 :]]
            return without_idle(body[:number] + flat(rest))
    return body


def _is_only_for(before, part, body):
    """Whether ``x = ...`` is followed by ``y = x``, and that is all that x is for."""
    if not isinstance(part.value, ast.Name) or not isinstance(before, ast.Assign):
        return False
    uses = [n for other in body for n in ast.walk(other) if isinstance(n, ast.Name) and n.id == part.value.id]
    return len(uses) == 2 and is_itself(before.targets[0], part.value)


def _is_number(node):
    """Whether an expression is made of numbers only, so that nothing is lost with it."""
    calls = [ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)]
    return all(name in ("math.sqrt", "np.sqrt") for name in calls)


class _Unfolder(ast.NodeTransformer):
    def visit_Assign(self, node):
        if len(node.targets) == 1:
            kept = [(target, value) for target, value in pairs(node) if not is_itself(target, value)]
            if len(kept) < len(pairs(node)) or _better_apart(node, kept):
                parts = [ast.Assign([target], value, lineno=0) for target, value in kept]
                independent = not any(_names(target, value) for target, _ in kept for _, value in kept)
                if len(kept) < 2 or independent:
                    return flat([self.visit(part) for part in parts])
                node.targets[0].elts, node.value.elts = [t for t, _ in kept], [v for _, v in kept]
        return self._as_if(node)

    def visit_Return(self, node):
        return self._as_if(node)

    def visit_If(self, node):
        self.generic_visit(node)
        node.body, node.orelse = _without_decided(node.body), _without_decided(node.orelse)
        if not node.body:
            node.test, node.body, node.orelse = _negated(node.test), node.orelse, []
        return node if node.body else None

    def _as_if(self, node):
        if not isinstance(node.value, ast.IfExp):
            return node
        test, yes, no = node.value.test, copy.deepcopy(node), copy.deepcopy(node)
        yes.value, no.value = node.value.body, node.value.orelse
        if isinstance(node, ast.Assign):
            target = ast.unparse(node.targets[0])
            if target == ast.unparse(no.value):
                return ast.If(test, [yes], [])
            if target == ast.unparse(yes.value) or (is_none(yes.value) and ast.unparse(test) == f"{target} is None"):
                return ast.If(_negated(test), [no], [])
        return node if len(ast.unparse(node)) < LONG else ast.If(test, [yes], [no])


def _better_apart(node, kept):
    return len(kept) > 1 and len(ast.unparse(node)) > LONG


def _names(target, value):
    """Whether a value names what is set."""
    return any(ast.unparse(n) == ast.unparse(target) for n in ast.walk(value) if isinstance(n, ast.expr))


def _negated(test):
    opposite = {ast.Is: ast.IsNot, ast.IsNot: ast.Is}
    if isinstance(test, ast.Compare) and type(test.ops[0]) in opposite:
        return ast.Compare(test.left, [opposite[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def _without_decided(body):
    """Statements without a test whose outcome the test before them has decided."""
    for number, (before, part) in enumerate(itertools.pairwise(body)):
        if not (isinstance(before, ast.If) and isinstance(part, ast.If)) or before.orelse or part.orelse:
            continue
        rest = body[number + 2 :]
        if isinstance(before.body[-1], ast.Return) and ast.dump(part.test) == ast.dump(_negated(before.test)):
            return body[: number + 1] + _without_decided(part.body + rest)
        if ast.dump(part.test) == ast.dump(before.test) and all(_leaves(before.test, one) for one in before.body):
            before.body += part.body
            return _without_decided(body[: number + 1] + rest)
    return body


def _leaves(test, statement):
    """Whether ``x is not None`` is true behind a statement if it was before."""
    if not isinstance(statement, ast.Assign):
        return False
    is_given = ast.unparse(test) == f"{ast.unparse(statement.targets[0])} is not None" and is_something(statement.value)
    return is_given or not stored_in([statement]) & names_in(test)
