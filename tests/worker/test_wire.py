"""The wire format: values are the same after a round trip, and malformed messages only raise `WireError`.

No message makes the grader slow or uses much of its memory.
"""

import json
import random
import time
import tracemalloc
from collections import Counter, namedtuple
from enum import IntEnum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.judging.values.compare import Mismatch, require_equal
from autograder.worker import wire
from autograder.worker.values import ObjectArray, Omitted, Opaque, Tensor
from autograder.worker.wire import WireError, decode, encode
from support.wire import decode_and_judge, hostile_message, send_across

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


def are_same(one, other):
    """Return whether two values are equal in type, shape, dtype and value. NaN equals NaN, but -0.0 not 0.0."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(are_same, one, other))
    if isinstance(one, dict):
        return type(other) is dict and are_same(list(one.items()), list(other.items()))
    return type(one) is type(other) and repr(one) == repr(other)


iter_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters(), max_size=20)
)
keys = st.text(max_size=5) | st.integers() | st.booleans() | st.none() | st.tuples(st.integers(), st.text(max_size=3))
arrays = st.sampled_from(DTYPES).flatmap(lambda code: hnp.arrays(code, SHAPES))
plain = st.recursive(
    iter_scalars | arrays,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(keys, inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(plain)
def test_plain_values_are_unchanged_by_encoding(value):
    assert are_same(value, send_across(value))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), -0.0, 5e-324, 2**63, -(2**63), 2**1023])
def test_special_numbers_are_unchanged_by_encoding(value):
    assert are_same(value, send_across(value))


@settings(max_examples=100)
@given(arrays)
def test_layouts_do_not_matter(array):
    for layout in (np.asfortranarray(array), array.T, array[..., ::-1] if array.ndim else array):
        assert are_same(np.ascontiguousarray(layout).reshape(layout.shape), send_across(layout))
    big_endian = array.astype(array.dtype.newbyteorder(">"))
    assert are_same(array, send_across(big_endian))


@pytest.mark.parametrize("code", DTYPES)
def test_every_dtype_has_scalars_and_empty_arrays(code):
    number = np.dtype(code).type(1)
    assert are_same(number, send_across(number))
    assert are_same(np.array(number), send_across(np.array(number)))
    assert are_same(np.zeros((0, 3), code), send_across(np.zeros((0, 3), code)))


def test_extended_precision_arrives_as_double():
    assert are_same(np.array([1.5, np.nan]), send_across(np.array([1.5, np.nan], np.longdouble)))
    assert are_same(np.array([1.5 - 2j]), send_across(np.array([1.5 - 2j], np.clongdouble)))
    assert are_same(np.float64(0.25), send_across(np.longdouble(0.25)))


def test_a_matrix_stays_a_matrix():
    matrix = send_across(np.array([[1.0, 2.0]]).view(np.matrix))
    assert type(matrix) is np.matrix
    assert matrix.shape == (1, 2)
    with pytest.raises(WireError):
        send_across(Tensor(matrix))


def test_subclasses_are_encoded_as_their_base_class():
    pair = namedtuple("Pair", "context weights")(1.0, [2])
    level = IntEnum("Level", "LOW HIGH")
    liar = type("Liar", (list,), {"__iter__": lambda self: iter([0]), "__len__": lambda self: 7})([1, 2])
    assert are_same((1.0, [2]), send_across(pair))
    assert are_same([2, {"a": 1}, "word"], send_across([level.HIGH, Counter("a"), np.str_("word")]))
    assert are_same([1, 2], send_across(liar))


def test_a_value_that_is_not_plain_is_described():
    assert send_across({1, 2}) == Opaque("set", "{1, 2}")
    assert send_across([b"raw"]) == [Opaque("bytes", "b'raw'")]
    assert send_across(np.array(["a"])).type_name == "ndarray"
    assert send_across(np.array([1, "a", None], dtype=object)) == ObjectArray((3,), [1, "a", None])
    assert send_across({frozenset(): 1}) == {Opaque("frozenset", "frozenset()"): 1}


def test_a_value_that_is_too_large_is_described():
    assert send_across(np.zeros((3, 2**22))) == Omitted((3, 2**22), "float64")
    assert send_across([0] * (wire.MAX_NODES + 1)) == Opaque("list", f"{wire.MAX_NODES + 1} parts")
    assert send_across("x" * (wire.MAX_TEXT + 1)) == Opaque("str", f"{wire.MAX_TEXT + 1} characters")
    assert send_across(1 << 5000) == Opaque("int", "an integer of 5001 bits")
    half = np.zeros(wire.MAX_ARRAY_BYTES // 16)
    assert [type(part) for part in send_across([half, half, half])] == [np.ndarray, np.ndarray, Omitted]


def test_a_value_that_is_too_deep_is_described():
    deep = "core"
    for _ in range(100):
        deep = [deep]
    cut = send_across(deep)
    for _ in range(wire.MAX_DEPTH + 1):
        (cut,) = cut
    assert cut == Opaque("list", "nested too deeply")
    endless = []
    endless += [endless, {"again": endless}]
    assert send_across(endless)


def test_too_much_text_is_refused():
    with pytest.raises(WireError, match="too large to send"):
        encode(["x" * 99_000] * 100)


# Hostile messages ------------------------------------------------------------------------------------------------


def test_hostile_trees_raise_only_wire_errors():
    decoded = 0
    for seed in range(2000):
        tree, raw = hostile_message(random.Random(seed))
        decoded += decode_and_judge(json.dumps(tree).encode(), raw)
    assert 1300 < decoded < 1800, "the trees are either too wild or too tame to test anything"


@pytest.mark.parametrize(
    "tree",
    [
        {"k": "array", "dtype": "<f8", "shape": [2**40, 2**40], "bytes": 8},
        {"k": "array", "dtype": "<f8", "shape": [1], "bytes": True},
        {"k": "array", "dtype": "<f8", "shape": [-1], "bytes": -8},
        {"k": "array", "dtype": "<f8", "shape": [2], "bytes": 16},
        {"k": "array", "dtype": "|O", "shape": [1], "bytes": 8},
        {"k": "array", "dtype": "<f8", "shape": [1] * 65, "bytes": 8},
        {"k": "objects", "shape": [5], "of": [True]},
        {"k": "int", "hex": "f" * 5000},
        {"k": "dict", "of": [[{"k": "list", "of": []}, 1]]},
        {"k": "dict", "of": [[1]]},
        {"k": "tensor", "of": [1.5, False, False]},
        {"k": "tensor", "of": [{"k": "list", "of": []}, False, False]},
        {"k": "tensor", "of": [{"k": "scalar", "dtype": "<f8", "shape": [], "bytes": 8}, False, False]},
        {"k": "tensor", "of": [{"k": "array", "dtype": "<f8", "shape": [1], "bytes": 8}, 1, False]},
        {"k": "tensor", "of": [{"k": "array", "dtype": "<f8", "shape": [1], "bytes": 8}]},
        {"k": "tensor", "of": []},
        {"k": "harness", "of": ["draw", "x", {"k": "dict", "of": []}, None]},
        {"k": "described", "of": ["module"]},
        {"k": "file", "of": ["x"]},
        *({"k": "omitted", "shape": [3], "dtype": name} for name in ("\x1b]0;owned\x07", "", "x" * 41, "caf\u00e9", 5)),
        {"k": "unheard of"},
        {},
        [],
    ],
    ids=str,
)
def test_malformed_parts_are_refused(tree):
    with pytest.raises(WireError):
        decode(json.dumps(tree).encode(), b"\0" * 8)


def test_surplus_bytes_are_refused():
    with pytest.raises(WireError, match="belong to nothing"):
        decode(b"1", b"\0")


@pytest.fixture
def bounded():
    """Fail if a test takes long or much memory."""
    tracemalloc.start()
    start = time.process_time()
    yield
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1] >> 20
    tracemalloc.stop()
    assert seconds < 10, "tracemalloc makes it several times slower"
    assert peak < 300


TEXTS = [b"", b"{", b"\xff\xfe", b"9" * 5000, b"[" * 100_000, b'{"k":' * 20_000, json.dumps("x" * 200_000).encode()]
TEXTS += [b'{"k":"list","of":[%d]}' % number for number in (10**4299, -(10**4000), 2**1024)]
TEXTS += [b"[" + b"[]," * 2_000_000 + b"[]]", b"[" + b"{}," * 2_000_000 + b"{}]", b"[" * 4_000_000]


@pytest.mark.parametrize("text", TEXTS, ids=len)
def test_broken_and_oversized_json_is_refused(bounded, text):
    with pytest.raises(WireError):
        decode(text, b"")


def test_a_list_just_below_the_node_limit_is_decoded():
    value = [[float(n)] for n in range(wire.MAX_NODES // 2 - 2)]
    assert send_across(value) == value


@pytest.mark.parametrize("shape", [(1 << 25,) + (1,) * 63, (1 << 24, 1), (2, 1 << 23), (1 << 25,)], ids=str)
def test_a_large_array_is_never_made_a_list(bounded, shape):
    got = np.broadcast_to(np.zeros((), np.int8), shape[:32])  # at most 32 axes, for NumPy 1
    with pytest.raises(Mismatch):
        require_equal(got, ["the", "cat"])
    with pytest.raises(Mismatch):
        require_equal(got, [[1.0], [2.0]])


def test_a_list_of_arrays_does_not_grow_in_the_grader(bounded):
    got = [np.zeros(60_000, np.int8) for _ in range(900)] + [np.zeros(60_000, np.complex128)]
    with pytest.raises(Mismatch, match="millions of numbers"):
        require_equal(got, np.zeros((2, 2)))


def test_deep_and_wide_trees_are_refused():
    deep = 1
    for _ in range(2 * wire.MAX_DEPTH + 1):
        deep = {"k": "list", "of": [deep]}
    with pytest.raises(WireError, match="too deeply"):
        decode(json.dumps(deep).encode(), b"")
    with pytest.raises(WireError, match="too many parts"):
        decode(json.dumps({"k": "list", "of": [0] * (2 * wire.MAX_NODES)}).encode(), b"")
