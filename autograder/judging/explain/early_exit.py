"""Finds a loop that ends in its first round, because a `return` or `break` stands in it that is always reached."""

import ast

from autograder.judging.explain.case import Running
from autograder.judging.verdict.explanation import Explanation, Kind


def find_early_exit(case: Running) -> Explanation | None:
    """Where a loop is left in its first round, in code that the exercise leads to: whatever else shows comes of it."""
    for _, cell, definition in case.definitions():
        nodes = list(ast.walk(definition))
        continuing = _continuing(nodes)
        for node in nodes:
            if isinstance(node, (ast.For, ast.While)) and (leaving := _leaves(node, continuing)):
                place = f"{cell.place}, line {cell.line + leaving.lineno - 1}"
                sentence = f"The `{type(leaving).__name__.lower()}` ({place}) stands inside a loop, and ends it"
                return Explanation(Kind.EARLY_EXIT, f"{sentence} in its first round.")
    return None


def _continuing(nodes: list[ast.AST]) -> set[ast.AST]:
    """Those nodes in which something may begin the next round: each is come to once, however deep loops are nested."""
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    continuing: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, (ast.Continue, ast.Yield, ast.YieldFrom)):
            outer: ast.AST | None = node
            while outer is not None and outer not in continuing:
                continuing.add(outer)
                outer = parents.get(outer)
    return continuing


def _leaves(loop: ast.For | ast.While, continuing: set[ast.AST]) -> ast.stmt | None:
    """The statement of a loop's own body that leaves it, if every round comes to it."""
    for statement in loop.body:
        if isinstance(statement, (ast.Return, ast.Break)):
            return statement
        if statement in continuing:
            return None
    return None
