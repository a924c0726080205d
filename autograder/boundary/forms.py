"""Checks of the types and lengths in a worker's reply, made as soon as it arrives.

The answer shares a process with the worker and can forge replies. A forged value is judged like any other, but a
malformed reply would raise an error somewhere in the grader, which would look like an internal error.
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from autograder.worker.values import Described, Harness, ObjectArray, Tensor
from autograder.worker.wire import MAX_DIMENSIONS

# A form is a type or a predicate; the functions below combine forms.
Check = Callable[[Any], bool]
Form = type | Check


def matches(value: Any, form: Form) -> bool:
    return type(value) is form if isinstance(form, type) else form(value)


def list_of(form: Form) -> Check:
    return lambda value: isinstance(value, list) and all(matches(item, form) for item in value)


def tuple_of(*forms: Form, kind: type = tuple) -> Check:
    """Return a check for a tuple (or another `kind`) whose items have these forms, in order."""
    return lambda value: isinstance(value, kind) and len(value) == len(forms) and all(map(matches, value, forms))


def dict_of(form: Form) -> Check:
    return lambda value: (
        isinstance(value, dict) and all(type(name) is str and matches(item, form) for name, item in value.items())
    )


def dict_with(forms: dict[str, Form], optional: Collection[str] = ()) -> Check:
    """Return a check for a dict with these keys, whose values have these forms. Some keys may be `optional`."""
    needed = forms.keys() - set(optional)
    return lambda value: (
        isinstance(value, dict)
        and needed <= value.keys() <= forms.keys()
        and all(matches(item, forms[name]) for name, item in value.items())
    )


def or_none(form: Form) -> Check:
    return lambda value: value is None or matches(value, form)


def is_load_reply(reply: Any, request: list) -> bool:
    """Return whether a reply to "load" contains an error or None for each cell, and the defined names."""
    return _LOADED(reply) and len(reply["errors"]) == len(request[1])


def is_edits_reply(reply: Any, request: list) -> bool:
    return _PLAYED(reply) and len(reply) == len(request[1])


def is_reply(reply: Any, request: list) -> bool:
    """Return whether a reply has either a value or an error, and only the keys of `Runner.handle_request`."""
    if not _REPLY(reply) or len({"value", "error"} & set(reply)) != 1:
        return False
    return "error" in reply or _is_value(reply["value"], request)


def _is_value(value: Any, request: list) -> bool:
    kind, _, *rest = request
    if kind == "set":
        return _PROBLEMS(value) and all(path in rest[0] for path, _ in value)
    if kind == "gradients":
        parts = [part for item in rest[0] for part in (item if isinstance(item, tuple) else [item])]
        tensors = [part for part in parts if isinstance(part, Tensor) and part.array.dtype.kind == "f"]
        return _GRADIENTS(value) and len(value["arguments"]) == len(tensors)
    if kind == "measure":
        return dict_with(
            {name: _is_shape if name == "largest" else lambda flag: flag is True for name in rest[1]}, rest[1]
        )(value)
    harness = next((item for item in rest[0] if isinstance(item, Harness)), None) if kind == "call" else None
    if harness:  # The report of each kind of harness has a fixed form.
        return matches(value, _HARNESS_REPLIES.get(harness.settings["tells"], _is_plain))
    if isinstance(value, Described):
        return value.kind in _DESCRIPTIONS and matches(value.parts, _DESCRIPTIONS[value.kind])
    return _is_plain(value)


def _is_plain(value: object) -> bool:
    """Return whether a value contains no `Described`. A worker describes only whole results."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    elif isinstance(value, ObjectArray):
        value = value.items
    return all(map(_is_plain, value)) if isinstance(value, (list, tuple)) else not isinstance(value, Described)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 62


def _is_shape(value: object) -> bool:
    return isinstance(value, tuple) and len(value) <= MAX_DIMENSIONS and all(map(_is_count, value))


def _is_drawing(value: Any) -> bool:
    if not dict_with(dict.fromkeys(("values", "x", "y"), np.ndarray))(value):
        return False
    values, y, x = arrays = value["values"], value["y"], value["x"]
    has_shape = (values.ndim, y.ndim, x.ndim) == (2, 1, 1) and values.shape == (*y.shape, *x.shape)
    return has_shape and all(array.dtype == np.float64 for array in arrays)


_STEP = tuple_of(str, _is_count, str, str, kind=list)  # place, line, definition and source text of one traceback entry
_OPERATION = tuple_of(str, list_of(tuple_of(str, or_none(_is_shape), kind=list)), kind=list)
_ERROR = dict_with(
    {"type": str, "kinds": list_of(str), "message": str, "where": list_of(_STEP), "operation": _OPERATION},
    ["kinds", "operation"],
)
_LOADED = dict_with({"errors": list_of(or_none(_ERROR)), "defined": list_of(str)})
_PLAYED = list_of(or_none(lambda value: isinstance(value, np.ndarray) and value.dtype == np.uint8))
_REPLY_FORMS: dict[str, Form] = {
    "value": lambda _: True,
    "error": _ERROR,
    "ref": _is_count,
    "changed": list_of(_is_count),
}
_REPLY = dict_with(_REPLY_FORMS, _REPLY_FORMS)
_PROBLEMS = list_of(tuple_of(str, or_none(lambda value: isinstance(value, str) or _is_shape(value))))
_GRADIENT = or_none(Tensor)
_GRADIENTS = dict_with({"arguments": list_of(_GRADIENT), "parameters": dict_of(_GRADIENT)})
_HARNESS_REPLIES: dict[str, Form] = {
    "calls": list_of(list_of(_is_count)),
    "shares": lambda value: isinstance(value, Tensor) and value.array.dtype == np.float64,
    "weights": list_of(Tensor),
    "gradients": list_of(_GRADIENT),
}
_TICKS = list_of(tuple_of(float, str))
_MODULE: dict[str, Form] = {
    "parameters": dict_of(tuple_of(_is_shape, str)),
    "training": bool,
    "loose": dict_of(str),
    "shared": dict_of(str),
}
_DESCRIPTIONS = {
    "module": dict_with(_MODULE, ["loose", "shared"]),
    "axes": dict_with(
        dict.fromkeys(("title", "x_label", "y_label", "figures"), str)
        | dict.fromkeys(("kept", "colour_bar", "one_colour", "overlaps", "given", "old", "is_figure"), bool)
        | {"x_ticks": _TICKS, "y_ticks": _TICKS, "drawn": or_none(_is_drawing)}
    ),
}
