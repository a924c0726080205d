"""Edits of calls: their axes, `keepdims`, dtypes, arguments, order of arguments, and function."""

import ast
import itertools

from .edit import Edits, NameScope, SourceText

_REDUCE = ("sum", "mean", "max", "min", "amax", "amin", "prod", "std", "var", "norm", "any", "all", "logsumexp")
_ALONG = (*_REDUCE, "softmax", "log_softmax", "argmax", "argmin", "argsort", "sort", "cumsum", "concatenate", "stack")
_ALONG += ("cat", "flip", "repeat", "topk", "median", "square")
_MADE = ("zeros_like", "ones_like", "empty_like", "full_like", "asarray", "array", "zeros", "ones", "full", "arange")
_FAMILIES = """
    sum mean max min prod; amax amin; argmax argmin; maximum minimum; exp log expm1 exp2; sqrt rsqrt square; sin cos;
    tril triu; zeros ones empty; zeros_like ones_like empty_like; softmax log_softmax; cat stack; concatenate stack;
    hstack vstack; dot outer inner multiply; matmul multiply mul; tanh relu sigmoid; floor ceil round; append extend;
    lower upper; split strip; view reshape; any all; rand randn; linspace arange; repeat tile repeat_interleave;
    full full_like; train eval; update setdefault
"""
_AROUND = ("round", "around", "clip", "astype", "softmax", "dropout", "array", "asarray")
_LIBRARIES = ("np", "torch", "nn", "F", "math", "numpy", "self", "plt", "sns")
MOST_ORDERED = 4  # number of leading arguments that are swapped in pairs; longer tuples and lists are left alone


def edit_calls(node: ast.AST, text: SourceText, scope: NameScope) -> Edits:
    """Yield the edits of a call, tuple or list as (kind, node or span, new text); other nodes have none."""
    if isinstance(node, ast.Call):
        call = _Call(node, text)
        for edit in (_edit_axes, _edit_dtype, _edit_arguments, _edit_function):
            yield from edit(call, scope)
    elif isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) <= MOST_ORDERED:
        code = text.code_of(node)
        opening, closing = (code[0], code[-1]) if code[0] in "([" and code[-1] in ")]" else ("", "")
        for swapped in _list_swaps([text.code_of(element) for element in node.elts]):
            yield "order", node, f"{opening}{', '.join(swapped)}{closing}"


class _Call:
    def __init__(self, node: ast.Call, text: SourceText) -> None:
        self.node, self.text = node, text
        self.name: str = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
        self.arguments = [text.code_of(argument) for argument in (*node.args, *node.keywords)]
        self.keywords = {keyword.arg: keyword for keyword in node.keywords}
        self.base = node.func.value if isinstance(node.func, ast.Attribute) else None

    def find_keyword(self, *names: str) -> ast.keyword | None:
        return next((self.keywords[name] for name in names if name in self.keywords), None)

    def with_arguments(self, arguments: list[str]) -> str:
        return f"{self.text.code_of(self.node.func)}({', '.join(arguments)})"

    def add_argument(self, argument: str) -> str:
        return self.with_arguments([*self.arguments, argument])

    def remove_argument(self, argument: ast.expr | ast.keyword) -> str:
        return self.with_arguments([code for code in self.arguments if code != self.text.code_of(argument)])


def _edit_axes(call: _Call, _: NameScope) -> Edits:
    node, name, is_reduction = call.node, call.name, call.name in _REDUCE
    axis, keepdims = call.find_keyword("axis", "dim"), call.find_keyword("keepdims", "keepdim")
    word, keep = call.text.translate_parameter("axis"), call.text.translate_parameter("keepdims")
    if axis is not None or name in _ALONG:
        for place in [axis.value] if axis else filter(_is_integer, node.args):
            yield from (("axis", place, new_axis) for new_axis in ("-1", "0", "1", "-2", "2", "-3", "None"))
    if axis is not None:
        yield "axis", node, call.remove_argument(axis)
    elif name in _ALONG and len(node.args) < 2 + (call.base is not None and not is_reduction):
        for new_axis in ("-1", "0", "1"):
            yield "axis", node, call.add_argument(f"{word}={new_axis}")
            if is_reduction and keepdims is None:
                yield "axis", node, call.add_argument(f"{word}={new_axis}, {keep}=True")
    if is_reduction and keepdims is None and (axis is not None or node.args):
        yield "keepdims", node, call.add_argument(f"{keep}=True")
    if keepdims is not None:
        yield "keepdims", node, call.remove_argument(keepdims)


def _is_integer(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(node, ast.Constant) and type(node.value) is int


def _edit_dtype(call: _Call, scope: NameScope) -> Edits:
    if dtype := call.find_keyword("dtype"):
        yield from (("dtype", dtype.value, new_dtype) for new_dtype in ("float", "int", "bool"))
    elif call.name in _MADE and call.text.numpy and not call.text.torch:
        yield "dtype", call.node, call.add_argument("dtype=float")
    elif call.name in _MADE and call.text.torch and scope.parameters:
        yield "dtype", call.node, call.add_argument(f"dtype={scope.parameters[0]}.dtype")


def _list_swaps(parts: list[str]) -> list[list[str]]:
    """Return a copy of the list for each pair of parts, with this pair swapped."""
    orders = []
    for first, second in itertools.combinations(range(min(len(parts), MOST_ORDERED)), 2):
        order = list(parts)
        order[first], order[second] = order[second], order[first]
        orders.append(order)
    return orders


def _edit_arguments(call: _Call, _: NameScope) -> Edits:
    count = len(call.node.args)
    for order in _list_swaps(call.arguments[:count]):
        yield "order", call.node, call.with_arguments([*order, *call.arguments[count:]])
    for number in range(len(call.arguments)) if len(call.arguments) > 1 else ():
        yield "argument", call.node, call.with_arguments(call.arguments[:number] + call.arguments[number + 1 :])


def _edit_function(call: _Call, _: NameScope) -> Edits:
    """Yield edits that replace the function with a similar one, or the call with its argument or its object."""
    node, text, name = call.node, call.text, call.name
    end = text.span_of(node.func)[1]
    for family in map(str.split, _FAMILIES.split(";")):
        yield from (("function", (end - len(name), end), new_name) for new_name in family if name in family)
    is_alone = len(node.args) == 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp))
    if is_alone or (node.args and name in _AROUND):
        yield "call", node, text.operand_of(node.args[0])
    if call.base and getattr(call.base, "id", "") not in _LIBRARIES:
        kind = "gradient" if name in ("detach", "item") else "copy" if name in ("copy", "clone") else "call"
        yield kind, node, text.code_of(call.base)
