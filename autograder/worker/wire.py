"""The wire format of messages between grader and worker: plain values, with arrays as raw bytes.

A message is a JSON tree followed by the bytes of its arrays. The grader does not trust the worker, so there is no
pickle, no object is created from a class name, and every size is checked first. Values that cannot be serialised are
replaced with a description (`Opaque`, `Omitted`).
"""

import json
import math
import re
import struct
import sys
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from .reading.cells import MAX_TEXT
from .values import Described, Harness, NewAxes, ObjectArray, Omitted, Opaque, Stream, Tensor, TextFile

MAX_TREE_BYTES = 8 << 20
MAX_ARRAY_BYTES = 64 << 20
MAX_DEPTH = 12
MAX_NODES = 200_000
MAX_KEYS = 256  # limit for a dictionary's keys that are not strings: an answer can choose numbers whose hashes collide
MAX_INT_BITS = 1024  # the range of float64; Python refuses to print much longer integers
MAX_DIMENSIONS = 64  # NumPy's own limit
MAX_REPLY_BYTES = 4 << 20  # bytes of arrays in one reply, or in all replies to a batch
MAX_BRACKETS = 4 * MAX_NODES
_BRACKETS = (b"[", b"{")
HEADER = struct.Struct("!II")  # bytes of JSON, bytes of arrays

# Dtypes that can be sent.
_DTYPES = {
    np.dtype(code).str: np.dtype(code)
    for code in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
}
# Some systems do not have float128, so extended precision is sent as float64.
_SENT_AS: dict[type, np.dtype] = {np.longdouble: np.dtype("f8"), np.clongdouble: np.dtype("c16")}
# The kit's own types with the types of their fields. `Harness.between` is not sent: it reveals what is expected.
_OWN = {
    "tensor": (Tensor, np.ndarray, bool, bool),
    "described": (Described, str, dict),
    "file": (TextFile, str, str, bool),
    "harness": (Harness, str, str, dict),
    "axes": (NewAxes,),
    "stream": (Stream, list),
}
_KINDS = {row[0]: kind for kind, row in _OWN.items()}


class WireError(Exception):
    """Raised if a message violates the wire format."""


# Sending -----------------------------------------------------------------------------------------------------


def encode(tree: object, max_array_bytes: int = MAX_ARRAY_BYTES) -> bytes:
    buffers: list[bytes] = []
    budget = [MAX_NODES, max_array_bytes]
    text = json.dumps(_pack_value(tree, buffers, budget, 0)).encode("ascii")
    if len(text) > MAX_TREE_BYTES:
        raise WireError(f"too large to send ({len(text)} bytes of text)")
    raw = b"".join(buffers)
    return HEADER.pack(len(text), len(raw)) + text + raw


def _pack_value(value: Any, buffers: list[bytes], budget: list[int], depth: int) -> Any:
    _count_part(budget)
    if depth > MAX_DEPTH:
        return _pack_opaque(value, "nested too deeply")
    kind = type(value)
    if kind is float or kind is bool or value is None or (kind is str and len(value) <= MAX_TEXT):
        return value
    if kind is int:
        return _pack_number(value)
    if kind is list or kind is tuple or kind is dict:
        return _pack_container(kind, value, buffers, budget, depth + 1)
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, str):
        return _pack_array(value, buffers, budget, depth)
    if kind in _KINDS:
        parts = [getattr(value, field) for field in kind.__match_args__[: len(_OWN[_KINDS[kind]]) - 1]]
        return {"k": _KINDS[kind], "of": [_pack_value(part, buffers, budget, depth + 1) for part in parts]}
    # Subclasses are sent as their base type (a named tuple as a tuple), whose methods an answer cannot override.
    if "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor):
        return _pack_tensor(value, buffers, budget, depth)
    if isinstance(value, (float, int)):
        return _pack_number(value)
    if isinstance(value, str):
        text = str.__str__(value)
        return text if len(text) <= MAX_TEXT else _pack_opaque(value, f"{len(text)} characters")
    if kind is complex:
        return {"k": "complex", "re": value.real, "im": value.imag}
    base = next((base for base in (list, tuple, dict) if isinstance(value, base)), None)
    return _pack_container(base, value, buffers, budget, depth + 1) if base else _pack_opaque(value)


def _count_part(budget: list[int]) -> None:
    """Count one part of a message. Raises `WireError` if `budget`, the number of parts left, is used up."""
    budget[0] -= 1
    if budget[0] < 0:
        raise WireError(f"too large to send (more than {MAX_NODES:,} parts)")


def _pack_number(value: float) -> Any:
    if isinstance(value, float):
        return float.__float__(value)
    value = int.__int__(value)
    if -(2**63) <= value < 2**63:
        return value
    if value.bit_length() > MAX_INT_BITS:
        return _pack_opaque(value, f"an integer of {value.bit_length()} bits")
    return {"k": "int", "hex": hex(value)}


def _pack_container(kind: type, value: Any, buffers: list[bytes], budget: list[int], depth: int) -> dict:
    if kind.__len__(value) > budget[0]:  # Check the length before traversing the value.
        return _pack_opaque(value, f"{kind.__len__(value)} parts")
    if kind is dict:
        if _count_other_keys(dict.keys(value)) > MAX_KEYS:
            return _pack_opaque(value, f"more than {MAX_KEYS} keys that are not strings")
        parts = [[_pack_value(part, buffers, budget, depth) for part in pair] for pair in dict.items(value)]
    else:
        parts = [_pack_value(part, buffers, budget, depth) for part in kind.__iter__(value)]
    return {"k": kind.__name__, "of": parts}


def _count_other_keys(keys: Iterable) -> int:
    return sum(not isinstance(key, str) for key in keys)


def _pack_array(value: Any, buffers: list[bytes], budget: list[int], depth: int) -> dict:
    array = np.asarray(value)
    if array.dtype == object and array.size <= budget[0]:
        items = [_pack_value(item, buffers, budget, depth + 1) for item in array.ravel().tolist()]
        return {"k": "objects", "shape": list(array.shape), "of": items}
    if array.dtype.str not in _DTYPES:
        dtype = _SENT_AS.get(array.dtype.type, array.dtype)
        array = array.astype(dtype.newbyteorder("<"), copy=False)
    if array.dtype.str not in _DTYPES:
        return _pack_opaque(value)
    if array.nbytes > budget[1] or _count_elements(array.shape) > MAX_ARRAY_BYTES:
        return {"k": "omitted", "shape": list(array.shape), "dtype": array.dtype.name}
    budget[1] -= array.nbytes
    raw = array.tobytes()
    buffers.append(raw)
    form = "scalar" if isinstance(value, np.generic) else "matrix" if isinstance(value, np.matrix) else "array"
    return {"k": form, "dtype": array.dtype.str, "shape": list(array.shape), "bytes": len(raw)}


def _pack_tensor(value: Any, buffers: list[bytes], budget: list[int], depth: int) -> dict:
    torch = sys.modules["torch"]
    try:
        with torch._C.DisableTorchFunctionSubclass():  # so that a subclass is sent as a plain tensor
            tensor_on_cpu = value.detach().cpu().resolve_conj().resolve_neg()
            # NumPy has no bfloat16, but float32 can represent all its values.
            tensor_on_cpu = tensor_on_cpu.float() if tensor_on_cpu.dtype == torch.bfloat16 else tensor_on_cpu
            array = torch.Tensor.numpy(tensor_on_cpu)
            return _pack_value(Tensor(array, bool(value.requires_grad)), buffers, budget, depth)
    except (RuntimeError, TypeError, NotImplementedError):  # Sparse, meta and other special tensors are not sent.
        return _pack_opaque(value)


def _pack_opaque(value: object, text: str | None = None) -> dict:
    name = type(value).__name__
    try:
        if isinstance(value, types.ModuleType):  # A module's repr would reveal a path on the grader's machine.
            text = f"module {value.__name__}"
        text = str.__str__(repr(value)) if text is None else text
    except BaseException:  # The `__repr__` of an answer's class may raise anything.
        text = "its repr raises an error"
    return {"k": "opaque", "type": str(name)[:200], "text": text[:400]}


# Receiving ---------------------------------------------------------------------------------------------------


def decode(text: bytes | bytearray, raw: bytes | bytearray) -> Any:
    try:
        if sum(map(text.count, _BRACKETS)) > MAX_BRACKETS:  # Check this first: JSON creates an object for each bracket.
            raise WireError("a message that has too many parts")
        tree = json.loads(text)
        reader = _Unpacker(raw)
        value = reader.unpack_value(tree, 0)
    except WireError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise WireError(f"a malformed message ({type(error).__name__})") from None
    if reader.at != len(raw):
        raise WireError("a message with bytes that belong to nothing")
    return value


def decode_message(message: bytes) -> Any:
    middle = HEADER.size + HEADER.unpack_from(message)[0]
    return decode(message[HEADER.size : middle], message[middle:])


def split_messages(messages: bytes) -> list[bytes]:
    """Split consecutive messages without decoding them. Raises `WireError` if the last one is incomplete."""
    parts: list[bytes] = []
    start = 0
    while start < len(messages):
        if len(messages) - start < HEADER.size:
            raise WireError("a message without an end")
        end = start + HEADER.size + sum(HEADER.unpack_from(messages, start))
        if end > len(messages):
            raise WireError("a message without an end")
        parts.append(messages[start:end])
        start = end
    return parts


class _Unpacker:
    def __init__(self, raw: bytes | bytearray) -> None:
        self.raw, self.at, self.nodes = raw, 0, 0

    def unpack_value(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > 2 * MAX_DEPTH or self.nodes > 2 * MAX_NODES:
            raise WireError("a message that is nested too deeply or has too many parts")
        kind = type(node)  # JSON has no subclasses.
        if kind is dict or kind is list:
            return self._unpack_tagged(node, depth)
        if kind is int and node.bit_length() > MAX_INT_BITS:
            raise WireError("an integer that is too long to send")
        if kind is str and len(node) > MAX_TEXT:
            raise WireError("a string that is too long to send")
        return node

    def _unpack_tagged(self, node: dict, depth: int) -> Any:
        kind = node["k"]
        if kind == "int":
            return self.unpack_value(int(node["hex"], 16), depth)
        if kind == "complex":
            return complex(node["re"], node["im"])
        if kind in ("list", "tuple"):
            parts = [self.unpack_value(part, depth + 1) for part in node["of"]]
            return parts if kind == "list" else tuple(parts)
        if kind == "dict":
            pairs = [(self.unpack_value(k, depth + 1), self.unpack_value(v, depth + 1)) for k, v in node["of"]]
            if _count_other_keys(key for key, _ in pairs) > MAX_KEYS:
                raise WireError("a dictionary with too many keys that are not strings")
            return dict(pairs)
        if kind in ("array", "scalar", "matrix"):
            return self._unpack_array(node, kind)
        if kind in _OWN:
            return self._unpack_own(*_OWN[kind], parts=[self.unpack_value(part, depth + 1) for part in node["of"]])
        if kind == "objects":
            shape, items = _read_shape(node), [self.unpack_value(part, depth + 1) for part in node["of"]]
            if math.prod(shape) != len(items):
                raise WireError("an array whose items do not fit its shape")
            return ObjectArray(shape, items)
        if kind == "omitted":
            return Omitted(_read_shape(node), _read_dtype_name(node))
        if kind == "opaque":
            return Opaque(str(node["type"])[:200], str(node["text"])[:400])
        raise WireError(f"a message with a part of unknown kind {str(kind)[:40]!r}")

    def _unpack_own(self, kind: type, *types: type, parts: list) -> Any:
        if kind is Tensor and parts and type(parts[0]) is Omitted:
            return parts[0]
        if tuple(map(type, parts)) != types:
            raise WireError(f"a {kind.__name__} whose parts are something else")
        return kind(*parts)

    def _unpack_array(self, node: dict, kind: str) -> Any:
        dtype, shape, size = _DTYPES[node["dtype"]], _read_shape(node), node["bytes"]
        if _count_elements(shape) > MAX_ARRAY_BYTES:
            raise WireError("an array with an impossible shape")
        count = math.prod(shape)
        if type(size) is not int or size != count * dtype.itemsize or size > len(self.raw) - self.at:
            raise WireError("an array whose bytes do not fit its shape")
        array = np.frombuffer(self.raw, dtype, count, self.at).reshape(shape).copy()
        self.at += size
        if kind == "scalar" and shape == ():
            return array[()]
        return array.view(np.matrix) if kind == "matrix" and len(shape) == 2 else array


def _count_elements(shape: Iterable[int]) -> int:
    """Return the number of elements of a shape. Axes of size 0 count as 1, because empty rows need memory, too."""
    return math.prod(shape) or math.prod(max(length, 1) for length in shape)


def _read_dtype_name(node: dict) -> str:
    name = node["dtype"]
    if type(name) is not str or not re.fullmatch(r"[a-zA-Z0-9_\[\]]{1,40}", name):
        raise WireError("an array whose dtype has no name of NumPy's")
    return name


def _read_shape(node: dict) -> tuple[int, ...]:
    shape = node["shape"]
    if len(shape) > MAX_DIMENSIONS or not all(type(length) is int and 0 <= length < 2**62 for length in shape):
        raise WireError("an array with an impossible shape")
    return tuple(shape)
