"""Calls: axes, kept axes, arguments, their order, and which function is called."""

import ast
import itertools
from collections.abc import Iterable

from ..reading.shortcuts import called
from .edit import Edits, Text
from .scope import Scope

_AXES = ("axis", "dim")
_KEPT = ("keepdims", "keepdim")
_REDUCE = ("sum", "mean", "max", "min", "amax", "amin", "prod", "std", "var", "norm", "any", "all", "logsumexp")
_ALONG = (*_REDUCE, "softmax", "log_softmax", "argmax", "argmin", "argsort", "sort", "cumsum", "concatenate", "stack")
_ALONG += ("cat", "flip", "repeat", "topk", "median", "square")
_FAMILIES = (
    ("sum", "mean", "max", "min", "prod"),
    ("amax", "amin"),
    ("argmax", "argmin"),
    ("maximum", "minimum"),
    ("exp", "log", "expm1", "exp2"),
    ("sqrt", "rsqrt", "square"),
    ("sin", "cos"),
    ("tril", "triu"),
    ("zeros", "ones", "empty"),
    ("zeros_like", "ones_like", "empty_like"),
    ("softmax", "log_softmax"),
    ("cat", "stack"),
    ("concatenate", "stack"),
    ("hstack", "vstack"),
    ("dot", "outer", "inner", "multiply"),
    ("matmul", "multiply", "mul"),
    ("tanh", "relu", "sigmoid"),
    ("floor", "ceil", "round"),
    ("append", "extend"),
    ("lower", "upper"),
    ("split", "strip"),
    ("view", "reshape"),
    ("any", "all"),
    ("rand", "randn"),
    ("linspace", "arange"),
    ("repeat", "tile", "repeat_interleave"),
    ("full", "full_like"),
    ("train", "eval"),
    ("update", "setdefault"),
)
_OTHER_NAMES = {
    name: [other for family in _FAMILIES if name in family for other in family if other != name]
    for name in itertools.chain.from_iterable(_FAMILIES)
}
_AROUND = ("round", "around", "clip", "astype", "softmax", "dropout", "array", "asarray")
_SIGNED = ("exp", "argsort", "sort", "sorted", "argmax", "argmin", "softmax", "topk")
MOST_ORDERED = 4  # arguments, or elements of a tuple, of which any two may be exchanged


def edits(node: ast.AST, text: Text, scope: Scope) -> Edits:
    """(kind, node or span, new text) of what can be done to one node."""
    if isinstance(node, ast.Call):
        yield from _axes(node, text, scope)
        yield from _arguments(node, text)
        yield from _function(node, text)
    elif isinstance(node, (ast.Tuple, ast.List)):
        yield from _elements(node, text)
    elif isinstance(node, ast.Attribute) and node.attr in ("data", "real"):
        yield "gradient", node, text.of(node.value)


def call_text(node: ast.Call, text: Text, arguments: Iterable[str], function: str | None = None) -> str:
    """The text of a call with other arguments, or another function."""
    return f"{function or text.of(node.func)}({', '.join(arguments)})"


def keywords(node: ast.Call) -> dict[str | None, ast.keyword]:
    """The keyword arguments of a call by name."""
    return {keyword.arg: keyword for keyword in node.keywords}


def written_arguments(node: ast.Call, text: Text) -> list[str]:
    """The arguments of a call as they are written."""
    return [text.of(each) for each in (*node.args, *node.keywords)]


def _axes(node: ast.Call, text: Text, scope: Scope) -> Edits:
    name, given = called(node), keywords(node)
    axis = next((given[each] for each in _AXES if each in given), None)
    kept = next((given[each] for each in _KEPT if each in given), None)
    word, keep = scope.word("axis"), scope.word("keepdims")
    written = written_arguments(node, text)
    places = [axis.value] if axis is not None else [each for each in node.args if _is_whole(each)]
    for place in places if axis is not None or name in _ALONG else ():
        for other in ("-1", "0", "1", "-2", "2", "-3", "None"):
            yield "axis", place, other
    if axis is not None:
        yield "axis", node, call_text(node, text, [each for each in written if each != text.of(axis)])
    elif name in _ALONG and len(node.args) < 2 + (isinstance(node.func, ast.Attribute) and name not in _REDUCE):
        for other in ("-1", "0", "1"):
            yield "axis", node, call_text(node, text, [*written, f"{word}={other}"])
            if name in _REDUCE and kept is None:
                yield "axis", node, call_text(node, text, [*written, f"{word}={other}", f"{keep}=True"])
    if name in _REDUCE and kept is None and (axis is not None or node.args):
        yield "keepdims", node, call_text(node, text, [*written, f"{keep}=True"])
    if kept is not None:
        yield "keepdims", node, call_text(node, text, [each for each in written if each != text.of(kept)])


def _is_whole(node: ast.expr) -> bool:
    """Whether a node is a whole number as it is written."""
    node = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(node, ast.Constant) and type(node.value) is int


def _arguments(node: ast.Call, text: Text) -> Edits:
    written = written_arguments(node, text)
    plain = len(node.args)
    for first, second in itertools.combinations(range(min(plain, MOST_ORDERED)), 2):
        swapped = list(written)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        yield "order", node, call_text(node, text, swapped)
    if len(written) > 1:
        for number in range(len(written)):
            yield "argument", node, call_text(node, text, written[:number] + written[number + 1 :])
    if called(node) == "Linear" and "bias" not in {each.arg for each in node.keywords}:
        yield "argument", node, call_text(node, text, [*written, "bias=False"])
    if called(node) in ("argsort", "sort") and len(written) < 3:
        yield "argument", node, call_text(node, text, [*written, "descending=True"])
    if called(node) in _SIGNED and node.args:
        yield "sign", node.args[0], f"-{text.operand(node.args[0])}"


def _function(node: ast.Call, text: Text) -> Edits:
    """Another function of the family; none at all; what the method was called of."""
    name, end = called(node), text.span(node.func)[1]
    for other in _OTHER_NAMES.get(name, ()):
        yield "function", (end - len(name), end), other
    is_alone = len(node.args) == 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp))
    if is_alone or (node.args and name in _AROUND):
        yield "call", node, text.operand(node.args[0])
    if isinstance(node.func, ast.Attribute) and not _is_library(node.func.value):
        kind = "gradient" if name in ("detach", "item") else "copy" if name in ("copy", "clone") else "call"
        yield kind, node, text.of(node.func.value)


def _is_library(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "torch", "nn", "F", "math", "numpy", "self", "plt", "sns")


def _elements(node: ast.Tuple | ast.List, text: Text) -> Edits:
    if not 2 <= len(node.elts) <= MOST_ORDERED:
        return
    written, whole = [text.of(each) for each in node.elts], text.of(node)
    opening, closing = (whole[0], whole[-1]) if whole[0] in "([" and whole[-1] in ")]" else ("", "")
    for first, second in itertools.combinations(range(len(written)), 2):
        swapped = list(written)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        yield "order", node, f"{opening}{', '.join(swapped)}{closing}"
