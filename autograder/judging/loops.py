"""Finds a loop that ends in its first round, because a `return` or `break` stands in it that is always reached."""

import ast

from autograder.worker.reading.definitions import definition_in, parsed


def ends_at_once(answer, name):
    """Where a loop is left in its first round, in code that a definition leads to.

    Parameters
    ----------
    answer : autograder.worker.reading.answers.AnswerFile
    name : str

    Returns
    -------
    (str, str, int) or None
        The word that leaves it, the place of the cell, and the line.
    """
    for each in sorted(answer.names_reached(name) & set(answer.definitions)):
        cell, _ = answer.definitions[each]
        definition = definition_in(parsed(cell.source), each)
        nodes = list(ast.walk(definition)) if definition else []
        going_on = _going_on(nodes)
        for node in nodes:
            if isinstance(node, (ast.For, ast.While)) and (last := _leaves(node, going_on)):
                return type(last).__name__.lower(), cell.place, cell.line + last.lineno - 1
    return None


def _going_on(nodes):
    """Those nodes in which something may begin the next round: each is come to once, however deep loops are nested."""
    parents, found = {child: node for node in nodes for child in ast.iter_child_nodes(node)}, set()
    for node in nodes:
        if isinstance(node, (ast.Continue, ast.Yield, ast.YieldFrom)):
            while node is not None and node not in found:
                found.add(node)
                node = parents.get(node)
    return found


def _leaves(loop, going_on):
    """The statement of a loop's own body that leaves it, if every round comes to it."""
    for statement in loop.body:
        if isinstance(statement, (ast.Return, ast.Break)):
            return statement
        if statement in going_on:
            return None
    return None
