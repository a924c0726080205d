"""Description of the operation that raised an error: the source text and the shape of each operand."""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import linecache
import traceback
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

MAX_OPERANDS = 4
MAX_NAME_LENGTH = 40  # characters
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.MatMult: "@",
    ast.Pow: "**",
}


def describe_failed_operation(error: BaseException) -> list:
    """Return the failed operation as [operator or name, [(source text, shape) of each operand]].

    A shape is None if reading it would need a call. The list is empty before Python 3.11, and if the operation is
    neither arithmetic nor a call.

    The failed operation is in the innermost frame of an answer's cell or a known mistake, not of a library's file.
    """
    trace, step = None, error.__traceback__
    while step:
        entry = linecache.cache.get(step.tb_frame.f_code.co_filename)
        trace = step if entry and entry[1:2] == (None,) else trace
        step = step.tb_next
    if trace is None:
        return []
    node = _find_node(trace, linecache.getlines(trace.tb_frame.f_code.co_filename))
    variables = {**trace.tb_frame.f_globals, **trace.tb_frame.f_locals}
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.target, node.value]
        sign = _SIGNS.get(type(node.op), "")
    elif isinstance(node, ast.Call):
        operands = [*_find_receiver(node, variables), *node.args]
        sign = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
    else:
        return []
    operands = [operand for operand in operands if not isinstance(operand, ast.Constant)][:MAX_OPERANDS]
    return [sign, [[ast.unparse(operand)[:MAX_NAME_LENGTH], _read_shape(operand, variables)] for operand in operands]]


def _find_node(trace: types.TracebackType, lines: list[str]) -> ast.AST | None:
    """Return the syntax tree of the expression or assignment that raised in this frame, or None if it is unknown."""
    code = trace.tb_frame.f_code
    if not hasattr(code, "co_positions"):
        return None
    first, last, start, end = list(code.co_positions())[trace.tb_lasti // 2]
    if first is None or last is None or start is None or end is None:
        return None
    text = [line.encode() for line in lines[first - 1 : last]]
    text[-1] = text[-1][:end]
    text[0] = text[0][start:]
    source = b"".join(text).decode()
    try:
        return ast.parse(f"({source}\n)", mode="eval").body
    except SyntaxError:
        return ast.parse(source).body[0]


def _find_receiver(call: ast.Call, variables: dict) -> Iterator[ast.expr]:
    """Yield the expression whose method is called (`x` in ``x.view(2)``), or nothing if a function is called."""
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    if receiver is not None and not isinstance(_read_value(receiver, variables), types.ModuleType):
        yield receiver


def _read_value(node: ast.expr, variables: dict) -> object:
    """Return the value of a variable, constant, attribute or element. Other code is not run again and gives None."""
    if isinstance(node, ast.Name):
        return variables.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_read_value(node.value, variables), node.attr, None)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Subscript) and hasattr(array := _read_value(node.value, variables), "shape"):
        value: Any = array
        index = _read_value(node.slice, variables)
        return value.__getitem__(index) if isinstance(index, int) else None
    return None


def _read_shape(node: ast.expr, variables: dict) -> tuple[int, ...] | None:
    value = _read_value(node, variables)
    shape = np.shape(value) if isinstance(value, (float, int)) else getattr(value, "shape", None)
    return tuple(map(int, shape)) if isinstance(shape, tuple) else None


MIN_LIKENESS = 0.8  # least similarity (0 to 1) between a misspelled name and the suggested one: `soft_max`, `softmax`


def suggest_name(error: BaseException) -> str:
    """Return an addition to an error's message, such as ``. Did you mean: 'softmax'?``, or "" if no name is similar."""
    if type(error) is AttributeError and isinstance(error.name, str):
        match = _find_nearest(error.name, tuple(dir(error.obj))) if error.obj is not None else ""
    elif type(error) is NameError and isinstance(error.name, str):
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        match = _find_nearest(error.name, tuple({**vars(builtins), **frame.f_globals, **frame.f_locals}))
    else:
        return ""
    return f". Did you mean: '{match}'?" if match else ""


@functools.lru_cache(maxsize=64)
def _find_nearest(name: str, names: tuple[str, ...]) -> str:
    return next(iter(difflib.get_close_matches(name, names, 1, MIN_LIKENESS)), "")
