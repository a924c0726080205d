"""What a worker may reply, checked once on arrival.

The answer shares a process with the worker and can forge its replies. A forged value is judged like any other, but a
reply of the wrong form would fail somewhere inside the grader and look like a fault of ours.
"""

from typing import Any

import numpy as np

from autograder.worker.values import Described, Harness, ObjectArray, Tensor
from autograder.worker.wire import MAX_DIMENSIONS


def is_load_reply(reply: object, request: list) -> bool:
    """One error or None for each cell, and the names that are defined."""
    return fits(reply, _LOADED) and len(reply["errors"]) == len(request[1])


def is_reply(reply: object, request: list) -> bool:
    """A value or an error, and what else `Runner.answer` tells."""
    if not fits(reply, _REPLY) or len({"value", "error"} & set(reply)) != 1:
        return False
    return "error" in reply or _is_value(reply["value"], request)


def fits(value: object, form: Any) -> bool:
    """Whether a value has a form.

    A form is a type; ``[form]``, a list of such; a tuple of one form for each item; a dictionary of one for each name,
    which may be missing where it ends with "?", or ``{str: form}`` for any names; or a function that decides.
    """
    match form:
        case type():
            return type(value) is form
        case [inner] if isinstance(form, list):
            return isinstance(value, list) and all(fits(item, inner) for item in value)
        case tuple():
            return isinstance(value, tuple) and len(value) == len(form) and all(map(fits, value, form))
        case dict() if str in form:
            return isinstance(value, dict) and all(type(name) is str and fits(value[name], form[str]) for name in value)
        case dict():
            inner = {name.rstrip("?"): inner for name, inner in form.items()}
            needed = {name for name in inner if name in form}
            return (
                isinstance(value, dict)
                and needed <= value.keys() <= inner.keys()
                and all(fits(item, inner[name]) for name, item in value.items())
            )
    return form(value)


def _is_value(value: object, request: list) -> bool:
    kind, _, *rest = request
    if kind == "set":
        return fits(value, [(str, _is_problem)]) and all(path in rest[0] for path, _ in value)
    if kind == "gradients":
        tensors = [item for item in rest[0] if isinstance(item, Tensor) and item.array.dtype.kind == "f"]
        return fits(value, _GRADIENTS) and len(value["arguments"]) == len(tensors)
    if kind == "measure":
        return fits(value, {f"{name}?": _is_shape if name == "largest" else _is_true for name in rest[1]})
    if told := _told_by_harness(request):
        return fits(value, _HARNESS_REPLIES.get(told, _is_plain))
    if isinstance(value, Described):
        return value.kind in _DESCRIPTIONS and fits(value.parts, _DESCRIPTIONS[value.kind])
    return _is_plain(value)


def _told_by_harness(request: list) -> str | None:
    """What a harness was to tell, where a call was made in one: our own code writes that, in a form of its own."""
    kind, _, *rest = request
    harness = next((item for item in rest[0] if isinstance(item, Harness)), None) if kind == "call" else None
    return harness and harness.settings["tells"]


def _is_plain(value: object) -> bool:
    return not _holds_description(value)


def _holds_description(value: object) -> bool:
    """A worker describes what was returned, never a part of it."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    elif isinstance(value, ObjectArray):
        value = value.items
    return any(map(_holds_description, value)) if isinstance(value, (list, tuple)) else isinstance(value, Described)


def _is_count(value: object) -> bool:
    """Whether it counts something: what is computed with it stays small."""
    return type(value) is int and 0 <= value < 1 << 62


def _is_shape(value: object) -> bool:
    return isinstance(value, tuple) and len(value) <= MAX_DIMENSIONS and all(map(_is_count, value))


def _is_problem(value: object) -> bool:
    return value is None or isinstance(value, str) or _is_shape(value)


def _is_gradient(value: object) -> bool:
    return value is None or isinstance(value, Tensor)


def _is_true(value: object) -> bool:
    return value is True


def _is_step(value: object) -> bool:
    """Place, line, definition and text of a line behind an error."""
    return isinstance(value, list) and fits(tuple(value), (str, _is_count, str, str))


def _is_error_or_none(value: object) -> bool:
    return value is None or fits(value, _ERROR)


def _is_drawn_or_none(value: object) -> bool:
    if value is None:
        return True
    if not fits(value, {"values": np.ndarray, "x": np.ndarray, "y": np.ndarray}):
        return False
    values, y, x = arrays = value["values"], value["y"], value["x"]
    if any(array.dtype != np.float64 for array in arrays):
        return False
    return (values.ndim, y.ndim, x.ndim) == (2, 1, 1) and values.shape == (*y.shape, *x.shape)


_ERROR = {"type": str, "kinds?": [str], "message": str, "where": [_is_step]}
_LOADED = {"errors": [_is_error_or_none], "defined": [str]}
_REPLY = {"value?": lambda value: True, "error?": _ERROR, "ref?": _is_count, "changed?": [_is_count]}
_GRADIENTS = {"arguments": [_is_gradient], "parameters": {str: _is_gradient}}
_HARNESS_REPLIES = {
    "calls": [[_is_count]],
    "shares": lambda shares: isinstance(shares, Tensor) and shares.array.dtype == np.float64,
    "weights": [Tensor],
    "gradients": [_is_gradient],
}
_TICKS = [(float, str)]
_DESCRIPTIONS = {
    "module": {"parameters": {str: (_is_shape, str)}, "training": bool, "loose?": {str: str}},
    "axes": dict.fromkeys(("title", "x_label", "y_label", "figures"), str)
    | dict.fromkeys(("kept", "colour_bar", "one_colour", "given"), bool)
    | {"x_ticks": _TICKS, "y_ticks": _TICKS, "drawn": _is_drawn_or_none},
}
