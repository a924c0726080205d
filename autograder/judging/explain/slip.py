"""Finds in the text of a wrong answer what is hardly ever meant.

A result that is thrown away, a loop that ends in its first round, one row in the place of all, a product of weights
that is made once, an argument that is never read.
"""

import ast
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from autograder.judging.explain.case import Running
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.judging.verdict.finding import ROOM_CHARACTERS
from autograder.worker.reading.definitions import definition_in, parse_source

# Methods and functions that return something new and change nothing.
PURE_FUNCTIONS = {
    *("abs", "amax", "amin", "astype", "clone", "contiguous", "cumsum", "div"),
    *("einsum", "exp", "expand", "flatten", "lower", "masked_fill", "matmul", "mean"),
    *("mul", "permute", "replace", "reshape", "softmax", "split", "squeeze", "strip"),
    *("swapaxes", "tanh", "transpose", "tril", "triu", "unsqueeze", "upper", "view"),
    "where",
}
Slip = tuple[int, str]  # line in the cell, and what is the matter


def find_slip(case: Running) -> Explanation | None:
    """The first slip in code that the exercise leads to."""
    mismatch, exercise = case.speaking.mismatch, case.exercise.name
    if mismatch and mismatch.rung == "attribute":
        return None  # what a module is made of has nothing to do with what it reads
    answer = case.session.file
    reached = answer.names_reached(exercise) & set(answer.definitions)
    for name in sorted(reached, key=lambda name: (name != exercise, name)):
        cell, _ = answer.definitions[name]
        definition = definition_in(parse_source(cell.source), name)
        readers = READERS if name == exercise else READERS[:-1]
        for line, sentence in (slip for reader in readers for slip in reader(definition)) if definition else ():
            slip, earlier = f"{sentence} ({cell.place}, line {cell.line + line - 1}).", case.verdict.explanation
            if earlier is None or not earlier.sentence:
                return Explanation(Kind.SLIP, slip)
            # Behind what it comes to, where there is room for both and for the call.
            whole = f"{earlier.sentence} {slip}"
            room = ROOM_CHARACTERS - sum(len(part) + 1 for part in case.speaking.shorten(ROOM_CHARACTERS // 2))
            return replace(earlier, sentence=whole) if len(whole) <= room else None
    return None


def _results_thrown_away(definition: ast.AST) -> Iterator[Slip]:
    for node in ast.walk(definition):
        if not isinstance(node, ast.Expr):
            continue
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if call.func.attr in PURE_FUNCTIONS and not any(keyword.arg == "out" for keyword in call.keywords):
            yield node.lineno, f"What `{call.func.attr}` returns is thrown away: it changes nothing in place"


def _loops_left_at_once(definition: ast.AST) -> Iterator[Slip]:
    """Loops of which a statement of their own body leaves, and every round comes to it."""
    nodes = list(ast.walk(definition))
    continuing = _nodes_that_continue(nodes)
    for loop in (node for node in nodes if isinstance(node, (ast.For, ast.While))):
        first = itertools.takewhile(lambda statement: statement not in continuing, loop.body)
        if leaving := next((statement for statement in first if isinstance(statement, (ast.Return, ast.Break))), None):
            word = type(leaving).__name__.lower()
            yield leaving.lineno, f"The `{word}` stands inside a loop, and ends it in its first round"


def _nodes_that_continue(nodes: list[ast.AST]) -> set[ast.AST]:
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


def _one_row_for_all(definition: ast.AST) -> Iterator[Slip]:
    """`[[x] * n] * n` in a function that writes into single places of something."""
    nodes = list(ast.walk(definition))
    targets = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    if any(isinstance(target.value, ast.Subscript) for target in targets):
        for row in filter(None, map(_repeated_element, nodes)):
            if _repeated_element(row):
                yield row.lineno, "One and the same row stands in every place: what is written into one is in all"


def _repeated_element(node: ast.AST) -> ast.expr | None:
    """The one element of a list times a number."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
        return node.left.elts[0] if len(node.left.elts) == 1 else None
    return None


def _products_made_once(definition: ast.AST) -> Iterator[Slip]:
    """`self.wq @ self.wk.T` in `__init__`: whatever the two become, the product stays."""
    methods = [node for node in getattr(definition, "body", ()) if isinstance(node, ast.FunctionDef)]
    for node in (node for method in methods if method.name == "__init__" for node in ast.walk(method)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            for name in filter(None, map(_own_attribute, (node.left, node.right))):
                yield (
                    node.lineno,
                    f"This product with `{name}` is made once, in `__init__`, and stays when `{name}` changes",
                )


def _own_attribute(node: ast.AST) -> str:
    """The attribute of `self` that an operand is, or is a turned form of; else nothing."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):  # of a method, such as `transpose`: what it is a method of
            node = node.func
        elif isinstance(node.value, ast.Name):
            return f"self.{node.attr}" if node.value.id == "self" else ""
        node = getattr(node, "value", node)
    return ""


def _arguments_never_read(definition: ast.AST) -> Iterator[Slip]:
    functions = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for function in (node for node in functions if isinstance(node, ast.FunctionDef)):
        names_read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for argument in function.args.args:
            if argument.arg not in {"self", *names_read} and not argument.arg.startswith("_"):
                yield function.lineno, f"`{function.name}` never reads its argument `{argument.arg}`"


# The last is asked of the exercise alone: a function of one's own may have an argument for others.
READERS: tuple[Callable[[ast.AST], Iterator[Slip]], ...] = (
    _loops_left_at_once,
    _results_thrown_away,
    _one_row_for_all,
    _products_made_once,
    _arguments_never_read,
)
