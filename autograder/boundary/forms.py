"""What a worker may reply, checked once on arrival.

The answer shares a process with the worker and can forge its replies. A forged value is judged like any other, but a
reply of the wrong form would fail somewhere inside the grader and look like a fault of ours.
"""

import numpy as np

from autograder.worker.values import Described, Harness, ObjectArray, Tensor
from autograder.worker.wire import MAX_DIMENSIONS


def is_load_reply(reply, request):
    """One error or None for each cell, and the names that are defined."""
    if not isinstance(reply, dict) or set(reply) != {"errors", "defined"}:
        return False
    errors, defined = reply["errors"], reply["defined"]
    return (
        isinstance(errors, list)
        and len(errors) == len(request[1])
        and all(error is None or _is_error(error) for error in errors)
        and isinstance(defined, list)
        and all(isinstance(name, str) for name in defined)
    )


def is_reply(reply, request):
    """A value or an error, and what else `Runner.answer` tells."""
    if not isinstance(reply, dict) or len({"value", "error"} & set(reply)) != 1:
        return False
    changed = reply.get("changed", [])
    return (
        (_is_error(reply["error"]) if "error" in reply else _is_value(reply["value"], request))
        and _is_number(reply.get("ref", 0))
        and isinstance(changed, list)
        and all(_is_number(position) for position in changed)
    )


def _is_value(value, request):
    kind, _, *rest = request
    if kind == "set":
        return isinstance(value, list) and all(
            isinstance(problem, tuple)
            and len(problem) == 2
            and isinstance(problem[0], str)
            and problem[0] in rest[0]
            and (problem[1] is None or isinstance(problem[1], str) or _is_shape(problem[1]))
            for problem in value
        )
    if kind == "gradients":
        tensors = [each for each in rest[0] if isinstance(each, Tensor) and each.array.dtype.kind == "f"]
        return (
            isinstance(value, dict)
            and set(value) == {"arguments", "parameters"}
            and isinstance(value["arguments"], list)
            and len(value["arguments"]) == len(tensors)
            and isinstance(value["parameters"], dict)
            and all(isinstance(name, str) for name in value["parameters"])
            and all(_is_gradient(each) for each in (*value["arguments"], *value["parameters"].values()))
        )
    if kind == "measure":
        return (
            isinstance(value, dict)
            and value.keys() <= rest[1].keys()
            and all(_is_shape(taken) if name == "largest" else taken is True for name, taken in value.items())
        )
    if told := _told_by_harness(request):
        return _HARNESS_REPLIES.get(told, lambda value: not _holds_description(value))(value)
    if isinstance(value, Described):
        return _DESCRIPTIONS.get(value.kind, lambda parts: False)(value.parts)
    return not _holds_description(value)


def _told_by_harness(request):
    """What a harness was to tell, where a call was made in one: our own code writes that, in a form of its own."""
    kind, _, *rest = request
    harness = next((each for each in rest[0] if isinstance(each, Harness)), None) if kind == "call" else None
    return harness and harness.settings["tells"]


def _holds_description(value):
    """A worker describes what was returned, never a part of it."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    elif isinstance(value, ObjectArray):
        value = value.items
    return any(map(_holds_description, value)) if isinstance(value, (list, tuple)) else isinstance(value, Described)


def _is_gradient(value):
    return value is None or isinstance(value, Tensor)


def _is_shape(value):
    return isinstance(value, tuple) and len(value) <= MAX_DIMENSIONS and all(map(_is_number, value))


def _is_number(value):
    """Whether it counts something: what is computed with it stays small."""
    return type(value) is int and 0 <= value < 1 << 62


def _is_module(parts):
    return (
        isinstance(parts, dict)
        and set(parts) - {"loose"} == {"parameters", "training"}
        and _are_texts(parts.get("loose", {}))
        and type(parts["training"]) is bool
        and isinstance(parts["parameters"], dict)
        and all(
            isinstance(name, str)
            and isinstance(found, tuple)
            and len(found) == 2
            and _is_shape(found[0])
            and isinstance(found[1], str)
            for name, found in parts["parameters"].items()
        )
    )


def _are_texts(named):
    return isinstance(named, dict) and all(isinstance(text, str) for pair in named.items() for text in pair)


def _is_axes(parts):
    names = {"kept", "title", "x_label", "y_label", "x_ticks", "y_ticks", "colour_bar", "drawn", "given", "figures"}
    names |= {"one_colour"}
    return (
        isinstance(parts, dict)
        and set(parts) == names
        and all(isinstance(parts[name], str) for name in ("title", "x_label", "y_label", "figures"))
        and all(_are_ticks(parts[name]) for name in ("x_ticks", "y_ticks"))
        and all(type(parts[name]) is bool for name in ("kept", "colour_bar", "one_colour", "given"))
        and (parts["drawn"] is None or _is_drawn(parts["drawn"]))
    )


def _are_ticks(ticks):
    return isinstance(ticks, list) and all(
        isinstance(tick, tuple) and [type(part) for part in tick] == [float, str] for tick in ticks
    )


def _is_drawn(drawn):
    if not isinstance(drawn, dict) or set(drawn) != {"values", "x", "y"}:
        return False
    arrays = [drawn["values"], drawn["y"], drawn["x"]]
    if not all(type(array) is np.ndarray and array.dtype == np.float64 for array in arrays):
        return False
    values, y, x = arrays
    return (values.ndim, y.ndim, x.ndim) == (2, 1, 1) and values.shape == (*y.shape, *x.shape)


_HARNESS_REPLIES = {
    "calls": lambda shapes: (
        isinstance(shapes, list) and all(isinstance(shape, list) and all(map(_is_number, shape)) for shape in shapes)
    ),
    "shares": lambda shares: isinstance(shares, Tensor) and shares.array.dtype == np.float64,
    "weights": lambda weights: isinstance(weights, list) and all(isinstance(weight, Tensor) for weight in weights),
    "gradients": lambda gradients: isinstance(gradients, list) and all(map(_is_gradient, gradients)),
}
_DESCRIPTIONS = {"module": _is_module, "axes": _is_axes}


def _is_error(error):
    if not isinstance(error, dict) or set(error) - {"kinds"} != {"type", "message", "where"}:
        return False
    steps, kinds = error["where"], error.get("kinds", [])
    return (
        isinstance(error["type"], str)
        and isinstance(kinds, list)
        and all(isinstance(kind, str) for kind in kinds)
        and isinstance(error["message"], str)
        and isinstance(steps, list)
        and all(isinstance(step, list) and [type(part) for part in step] == [str, int, str, str] for step in steps)
        and all(_is_number(step[1]) for step in steps)
    )
