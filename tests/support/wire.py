"""Messages for the tests of the wire format, including trees that a hostile worker could send."""

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.values.compare import Mismatch, require_equal
from autograder.judging.values.show import format_value
from autograder.worker.wire import HEADER, WireError, decode, encode

LEAVES = ["<f8", "|b1", "<c8", "|O", "ff", "", "\x1b[31m", None, True, 0, 1, 8, 16, -1, 2**62, 2**70, 0.5, float("nan")]
SHAPES_TOLD = [[], [1], [2], [2, 1], [0], [0, 2**61], [-1], [2**40, 2**40], [1.0], ["1"], [[1]]]


def list_parts(message):
    """Return the JSON text and the raw bytes of a message."""
    tree_size, raw_size = HEADER.unpack(message[: HEADER.size])
    assert len(message) == HEADER.size + tree_size + raw_size
    return message[HEADER.size : HEADER.size + tree_size], message[HEADER.size + tree_size :]


def send_across(value):
    return decode(*list_parts(encode(value)))


def hostile_message(rng):
    """Return a JSON value and raw bytes that a hostile worker might send, in any form and partly inconsistent."""
    raw = bytearray()
    tree = _node(rng, raw, 0)
    if rng.random() < 0.05:
        raw += rng.randbytes(1)
    return tree, bytes(raw)


def _node(rng, raw, depth):
    if rng.random() < 0.01:
        return rng.choice([*SHAPES_TOLD, {}, {"k": None}])
    if depth > 4 or rng.random() < 0.25:
        return rng.choice(LEAVES)
    kind = rng.choice(list(_FIELDS))
    node = {"k": kind, **_FIELDS[kind](rng, raw, depth + 1)}
    if rng.random() < 0.05:
        field = rng.choice(list(node))
        lie = _node(rng, raw, depth + 1)
        node[field] = rng.choice([lie, rng.choice(LEAVES), rng.choice(SHAPES_TOLD)])
    return node


def _parts(rng, raw, depth):
    return {"of": [_node(rng, raw, depth) for _ in range(rng.randrange(4))]}


def _pairs(rng, raw, depth):
    keys = [rng.choice(["a", "parameters", 1, None, 0.5, {"k": "tuple", "of": []}]) for _ in range(rng.randrange(3))]
    return {"of": [[key, _node(rng, raw, depth)] for key in keys]}


def _array(rng, raw, depth):
    dtype, shape = rng.choice(["<f8", "|b1", "<c8", "<f2", "<i8"]), rng.choice([[], [1], [2], [2, 1], [0], [0, 3]])
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw += rng.randbytes(size) if rng.random() < 0.5 else bytes(size)
    return {"dtype": dtype, "shape": shape, "bytes": size}


def _tensor(rng, raw, depth):
    return {"of": [{"k": "array", **_array(rng, raw, depth)}, rng.random() < 0.5, False]}


def _objects(rng, raw, depth):
    parts = _parts(rng, raw, depth)
    return {"shape": [len(parts["of"])]} | parts


def _described(rng, raw, depth):
    return {"of": [rng.choice(["module", "axes", "x"]), {"k": "dict", **_pairs(rng, raw, depth)}]}


_FIELDS = dict.fromkeys(("list", "tuple"), _parts) | dict.fromkeys(("array", "scalar", "matrix"), _array)
_FIELDS |= {"dict": _pairs, "tensor": _tensor, "objects": _objects, "described": _described}
_FIELDS |= {
    "int": lambda rng, raw, depth: {"hex": rng.choice(["ff", "-0x1", "f" * 200])},
    "complex": lambda rng, raw, depth: {"re": rng.choice([0, 1.5, float("nan")]), "im": 1.0},
    "omitted": lambda rng, raw, depth: {"shape": rng.choice([[], [2**40], [0, 2**61]]), "dtype": "float64"},
    "opaque": lambda rng, raw, depth: {"type": rng.choice(["T", "\x1b[31m"]), "text": rng.choice(["t", "<b>", ""])},
    "file": lambda rng, raw, depth: {"of": ["../../x", "t", True]},
    "axes": lambda rng, raw, depth: {"of": []},
    "harness": lambda rng, raw, depth: {
        "of": ["train", rng.choice(["t", "\x1b[31m"]), {"k": "dict", **_pairs(rng, raw, depth)}]
    },
}


def decode_and_judge(text, raw):
    """Return whether a message can be decoded. If so, check that its value can be shown, compared and diagnosed."""
    try:
        value = decode(text, raw)
    except WireError as error:
        assert str(error)
        return False
    assert all(sign.isprintable() or sign == "\n" for sign in format_value(value))
    for expected in (1.0, np.zeros(2), np.array([True]), ["word"], {"a": 1.0}, (1.0, np.zeros(2))):
        try:
            require_equal(value, expected)
        except Mismatch as mismatch:
            assert mismatch.sentence
        assert have_same_outcome(Call("f", (), {}, value), Call("f", (), {}, expected)) in (True, False)
    return True
