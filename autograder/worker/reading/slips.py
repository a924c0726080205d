"""Search for slips: code that is hardly ever intended.

Slips are a discarded value, a loop that ends in its first round, one list that is used for all rows, and an argument
that is never read.
"""

import ast
import itertools
from collections.abc import Callable, Iterator

from .answers import AnswerFile
from .definitions import find_definition, parse_source

# Methods and functions that return something new and modify nothing.
PURE_FUNCTIONS = {
    *("abs", "amax", "amin", "astype", "clone", "contiguous", "cumsum", "div"),
    *("einsum", "exp", "expand", "flatten", "lower", "masked_fill", "matmul", "mean"),
    *("mul", "permute", "replace", "reshape", "softmax", "split", "squeeze", "strip"),
    *("swapaxes", "tanh", "transpose", "tril", "triu", "unsqueeze", "upper", "view"),
    "where",
}
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)
Slip = tuple[bool, str]  # (whether a value is discarded, the sentence for the learner)
Problem = tuple[int, str]  # (line in the cell, the sentence without the line number)


def find_slips(answer: AnswerFile, exercise: str, has_raised: bool) -> list[Slip]:
    """Return the slips in code that an exercise uses, its own code first. `has_raised`: whether its call raised."""
    slips: list[Slip] = []
    used_names = answer.find_used_names(exercise) & set(answer.definitions)
    for name in sorted(used_names, key=lambda name: (name != exercise, name)):
        cell, _ = answer.definitions[name]
        definition = find_definition(parse_source(cell.source), name)
        for reader in READERS if definition else ():
            # Helpers may have unused arguments, and an unused argument does not explain an error.
            if reader is not _find_unread_arguments or (name == exercise and not has_raised):
                for line, sentence in reader(definition):
                    place = f"{cell.place}, line {cell.line + line - 1}"
                    slips.append((reader is _find_discarded_values, _insert_place(sentence, place)))
    return slips


def _insert_place(sentence: str, place: str) -> str:
    text, _, question = sentence.partition(". ")
    return f"{text} ({place}). {question}" if question else f"{text} ({place})."


def _find_discarded_values(definition: ast.AST) -> Iterator[Problem]:
    for node in ast.walk(definition):
        if isinstance(node, ast.Expr) and isinstance(node.value, _OPERATIONS):
            yield node.lineno, "This line computes a value and discards it. Did you mean to assign it?"
        elif isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if name in PURE_FUNCTIONS and not any(keyword.arg == "out" for keyword in call.keywords):
                yield node.lineno, f"This line discards the result of `{name}`, which changes nothing in place"


def _find_one_round_loops(definition: ast.AST) -> Iterator[Problem]:
    nodes = list(ast.walk(definition))
    continuing = _find_continuing_nodes(nodes)
    for loop in (node for node in nodes if isinstance(node, (ast.For, ast.While))):
        first = itertools.takewhile(lambda statement: statement not in continuing, loop.body)
        if leaving := next((statement for statement in first if isinstance(statement, (ast.Return, ast.Break))), None):
            word = type(leaving).__name__.lower()
            yield leaving.lineno, f"The `{word}` is inside the loop, so the loop ends in its first round"


def _find_continuing_nodes(nodes: list[ast.AST]) -> set[ast.AST]:
    """Return all `continue` and `yield` nodes, after which a loop may run again, and the nodes that contain them."""
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    continuing: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, (ast.Continue, ast.Yield, ast.YieldFrom)):
            outer: ast.AST | None = node
            while outer is not None and outer not in continuing:
                continuing.add(outer)
                outer = parents.get(outer)
    return continuing


def _find_repeated_rows(definition: ast.AST) -> Iterator[Problem]:
    """Yield a problem for each ``[[x] * n] * n`` in a function that assigns to elements of rows (``a[i][j] = x``)."""
    nodes = list(ast.walk(definition))
    targets = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    if any(isinstance(target.value, ast.Subscript) for target in targets):
        for row in filter(None, map(_find_repeated_element, nodes)):
            if _find_repeated_element(row):
                yield row.lineno, "All rows are the same list, so writing to one changes them all"


def _find_repeated_element(node: ast.AST) -> ast.expr | None:
    """Return the element `x` of an expression such as ``[x] * n``, or None for any other node."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
        return node.left.elts[0] if len(node.left.elts) == 1 else None
    return None


def _find_unread_arguments(definition: ast.AST) -> Iterator[Problem]:
    functions = definition.body if isinstance(definition, ast.ClassDef) else [definition]
    for function in (node for node in functions if isinstance(node, ast.FunctionDef)):
        names_read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        for argument in function.args.args:
            if argument.arg not in {"self", *names_read} and not argument.arg.startswith("_"):
                yield function.lineno, f"`{function.name}` never reads its argument `{argument.arg}`"


READERS: tuple[Callable[[ast.AST], Iterator[Problem]], ...] = (
    _find_discarded_values,
    _find_one_round_loops,
    _find_repeated_rows,
    _find_unread_arguments,
)
