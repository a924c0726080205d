"""Values as a learner reads them: short, plain text, with nothing in it that a terminal would obey."""

import numpy as np

from autograder.worker.wire import ObjectArray, Omitted, Opaque

SMALL = 36  # elements that are still worth printing
LONGEST = 300


def clean(text):
    """The text without control characters, which could recolour or rewrite a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


def show(value):
    """One value, in one or a few lines."""
    if isinstance(value, Opaque):
        return clean(f"a {value.type_name} object: {value.text}"[:LONGEST])
    if isinstance(value, Omitted):
        return f"a {value.dtype} array of shape {value.shape}, too large to look at"
    if isinstance(value, ObjectArray):
        return f"an array of Python objects (dtype=object) of shape {value.shape}"
    if isinstance(value, np.ndarray):
        return _show_array(value)
    if isinstance(value, (np.generic, float, complex)):
        return _number(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, tuple) and len(value) > 1:
        return "(" + ", ".join(map(show, value)) + ")"
    if isinstance(value, list) and all(isinstance(part, (int, float)) for part in value) and len(value) <= SMALL:
        return "[" + ", ".join(map(_number, value)) + "]"
    text = clean(repr(value))
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def show_call(name, args, kwargs):
    """A call as it could be typed; large arrays by their shape."""
    parts = [show(arg) for arg in args] + [f"{key}={show(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def _show_array(array):
    array = np.asarray(array)
    if array.size > SMALL or array.ndim > 3:
        return f"{array.dtype} array of shape {array.shape}"
    if array.size == 0:
        return f"an empty array of shape {array.shape}"
    printed = np.array2string(
        array,
        separator=", ",
        max_line_width=100,
        formatter={"all": lambda item: _number(item.item() if isinstance(item, np.generic) else item)},
    )
    return clean(printed)


def _number(number):
    if isinstance(number, float):
        return f"{number:.4g}" if number == 0 or 1e-4 <= abs(number) < 1e4 else f"{number:.4g}"
    if isinstance(number, complex):
        return f"{number:.4g}"
    return str(number)
