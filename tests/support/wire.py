"""Messages for the tests of the wire: sent across, and trees that a hostile worker might send."""

import numpy as np

from autograder.judging.calls import Call
from autograder.judging.compare import Mismatch, compare
from autograder.judging.diagnosis import same_outcome
from autograder.judging.values import show
from autograder.worker.wire import HEADER, WireError, decode, encode

KINDS = ["int", "complex", "list", "tuple", "dict", "array", "scalar", "matrix", "objects", "omitted", "opaque", "what"]
FIELDS = ["hex", "re", "im", "of", "shape", "dtype", "bytes", "type", "text"]
LEAVES = ["<f8", "|b1", "<c8", "|O", "ff", "", "\x1b[31m", None, True, 0, 1, 8, 16, -1, 2**62, 2**70, 0.5, float("nan")]
SHAPES_TOLD = [[], [1], [2], [2, 1], [0], [0, 2**61], [-1], [2**40, 2**40], [1.0], ["1"], [[1]]]


def parts_of(message):
    """The JSON text and the raw bytes of a message."""
    tree_size, raw_size = HEADER.unpack(message[: HEADER.size])
    assert len(message) == HEADER.size + tree_size + raw_size
    return message[HEADER.size : HEADER.size + tree_size], message[HEADER.size + tree_size :]


def across(value):
    return decode(*parts_of(encode(value)))


def hostile_tree(rng, depth=0):
    """A JSON value that looks enough like a message to get past the first checks."""
    if depth > 5 or rng.random() < 0.2:
        return rng.choice(LEAVES + SHAPES_TOLD)
    if rng.random() < 0.1:
        return [hostile_tree(rng, depth + 1) for _ in range(rng.randrange(3))]
    parts = [hostile_tree(rng, depth + 1) for _ in range(rng.randrange(4))]
    if rng.random() < 0.3:
        parts = [[rng.choice(["a", 1, None]), part] for part in parts]
    usual = {
        "of": parts,
        "shape": rng.choice(SHAPES_TOLD),
        "dtype": rng.choice(["<f8", "|b1", "<c8", "<f2"]),
        "hex": "f",
    }
    usual |= {"bytes": rng.choice([0, 1, 2, 8, 16]), "re": 1.0, "im": 0, "type": "T", "text": "t"}
    node = {"k": rng.choice(KINDS)} | usual
    for field in rng.sample(FIELDS, rng.choice([0, 0, 0, 1, 2])):
        node[field] = hostile_tree(rng, depth + 1)
    return node


def decode_and_judge(text, raw):
    """Decode, or fail with `WireError` alone; what comes out can be shown, compared and diagnosed."""
    try:
        value = decode(text, raw)
    except WireError as error:
        assert str(error)
        return False
    assert all(sign.isprintable() or sign == "\n" for sign in show(value))
    for expected in (1.0, np.zeros(2), np.array([True]), ["word"], {"a": 1.0}, (1.0, np.zeros(2))):
        try:
            compare(value, expected)
        except Mismatch as mismatch:
            assert mismatch.sentence
        assert same_outcome(Call("f", (), {}, value), Call("f", (), {}, expected)) in (True, False)
    return True
