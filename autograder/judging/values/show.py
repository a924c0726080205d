"""Values as short plain text for learners, without terminal control characters."""

from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np

from autograder.chapters.text import clean, shorten
from autograder.worker.values import Described, Harness, NewAxes, ObjectArray, Omitted, Opaque, Stream, Tensor, TextFile

MAX_PRINTED_ELEMENTS = 36  # larger arrays are shown only by their shape
MAX_SHOWN_CHARACTERS = 300
FILE_CHARACTERS = 80  # characters shown of a file's text
_APART = " (not contiguous in memory, as after a transpose)"
CALL_CHARACTERS = 150  # characters of a call within a sentence


def format_value(value: object) -> str:
    """Return a value as text, in one or a few lines."""
    if isinstance(value, Opaque):
        article = "an" if value.type_name[:1] in "AEIO" else "a"
        text = f": {value.text}" * (" at 0x" not in value.text)  # an address means nothing to a reader
        return clean(f"{article} {value.type_name} object{text}"[:MAX_SHOWN_CHARACTERS])
    if isinstance(value, Omitted):
        return clean(f"a {value.dtype} array of shape {value.shape}, too large to inspect")
    if isinstance(value, ObjectArray):
        return f"an array of Python objects (dtype=object) of shape {value.shape}"
    if isinstance(value, Tensor):
        text = _format_array(value.array)
        text = f"tensor({text})" if text[0] == "[" or not value.array.ndim else text.replace("array", "tensor")
        return f"{text}{_APART * _is_non_contiguous(value)}"
    if isinstance(value, (Harness, NewAxes, Stream, TextFile)):
        return _format_placeholder(value)
    if isinstance(value, Described):
        return "an object"
    if isinstance(value, np.ndarray):
        return _format_array(value)
    if isinstance(value, (np.generic, float, complex)):
        return _format_number(_to_python(value))
    if isinstance(value, (list, tuple)):
        ellipsis = ["..."] * (len(value) > MAX_PRINTED_ELEMENTS)
        text = ", ".join([*map(format_value, value[:MAX_PRINTED_ELEMENTS]), *ellipsis])
        text = f"[{text}]" if isinstance(value, list) else f"({text},)" if len(value) == 1 else f"({text})"
    elif isinstance(value, dict):
        pairs = (map(format_value, pair) for pair in islice(value.items(), MAX_PRINTED_ELEMENTS))
        text = f"{{{', '.join(map(': '.join, pairs))}}}"
    else:
        text = clean(repr(value))
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + " ..."


def _is_non_contiguous(tensor: Tensor) -> bool:
    """Return whether to say that the tensor is not contiguous. Learners can create one by transposing."""
    return tensor.apart and tensor.array.ndim > 1


def _format_placeholder(value: Harness | NewAxes | Stream | TextFile) -> str:
    """Return a text for an argument that only exists in the worker, such as ``axes``."""
    if isinstance(value, NewAxes):
        return "axes"
    if isinstance(value, Stream):
        return f"iter({format_value(value.items)})"
    if isinstance(value, Harness):
        return clean(value.text[:MAX_SHOWN_CHARACTERS])
    text = value.text if len(value.text) <= FILE_CHARACTERS else f"{value.text[:FILE_CHARACTERS]} ..."
    return f"{value.name!r} (which holds {clean(repr(text))})"


def format_pair(first: object, second: object) -> tuple[str, str]:
    """Return two different numbers as text, with enough digits to see the difference."""
    for digits in range(4, 18):
        texts = _format_number(_to_python(first), digits), _format_number(_to_python(second), digits)
        if texts[0] != texts[1]:
            break
    return texts


def format_call(name: str, args: Sequence, kwargs: dict) -> str:
    """Return a call as a learner could type it. Of large arrays, only the shape is shown."""
    return format_call_with(name, args, kwargs, format_value)


def format_call_in_short(name: str, args: Sequence, kwargs: dict) -> str:
    """Return a call as text. Of every long argument, only the shape or size is shown."""
    return format_call_with(name, args, kwargs, _format_in_short)


def format_call_briefly(name: str, args: Sequence, kwargs: dict) -> str:
    text = format_call_with(name, args, kwargs, format_value)
    return text if len(text) - len(name) <= CALL_CHARACTERS // 5 else f"{name}(…)"


def format_call_with(name: str, args: Sequence, kwargs: dict, show_value: Callable[[object], str]) -> str:
    """Return a call as text, with each argument formatted by `show_value`. Arguments with empty texts are left out."""
    parts = [show_value(arg) for arg in args] + [f"{key}={show_value(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(filter(None, parts))})"


def _format_in_short(value: object) -> str:
    """Return a value as text, or its type and shape if the text is long."""
    full_text = format_value(value)
    if len(full_text) <= CALL_CHARACTERS // 5:
        return full_text
    if isinstance(value, Tensor):
        text = f"{_format_unusual_dtype(value.array, 'float32')}tensor of shape {value.array.shape}"
        return f"{text}{_APART * _is_non_contiguous(value)}"
    if isinstance(value, np.ndarray):
        return f"{_format_unusual_dtype(value, 'float64')}array of shape {value.shape}"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}{' keys' * isinstance(value, dict)}"
    return shorten(full_text, CALL_CHARACTERS // 2)


def _format_unusual_dtype(array: np.ndarray, dtype: str) -> str:
    """Return the array's dtype and a space, or an empty string if it is the usual `dtype`."""
    return "" if array.dtype == dtype else f"{array.dtype} "


def _format_array(array: np.ndarray) -> str:
    array = np.asarray(array)
    if array.size > MAX_PRINTED_ELEMENTS or array.ndim > 3:
        return f"{array.dtype} array of shape {array.shape}"
    if array.size == 0:
        return f"an empty array of shape {array.shape}"
    text = np.array2string(array, separator=", ", formatter={"all": lambda item: _format_number(_to_python(item))})
    return clean(" ".join(text.split()))


def _to_python(item: object) -> object:
    return item.item() if isinstance(item, np.generic) else item


def _format_number(number: object, digits: int = 4) -> str:
    if isinstance(number, float) and 1000 <= abs(number) < 1e7:
        digits = max(digits, len(str(int(abs(number)))) + 1)  # Keep one decimal place: 10000.3.
    return f"{number:.{digits}g}" if isinstance(number, (float, complex)) else str(number)
