"""No reply of a worker makes the grader slow, uses much of its memory, or causes an internal error."""

import json
import time
import tracemalloc

import numpy as np
import pytest

from autograder.boundary.channel import start_worker
from autograder.boundary.forms import is_reply
from autograder.judging.values.compare import Mismatch, require_equal
from autograder.judging.values.show import format_value
from autograder.worker.values import Omitted
from autograder.worker.wire import MAX_NODES, MAX_REPLY_BYTES, WireError, decode, encode

LIMIT = 1.0  # seconds


def decode_tree(tree):
    return decode(tree if isinstance(tree, bytes) else json.dumps(tree).encode(), b"")


@pytest.fixture
def bounded():
    tracemalloc.start()
    start = time.process_time()
    yield
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1] >> 20
    tracemalloc.stop()
    assert seconds < 10 * LIMIT, "tracemalloc makes it several times slower"
    assert peak < 300


@pytest.mark.parametrize("shape", [(1 << 25,) + (1,) * 63, (1 << 24, 1), (2, 1 << 23), (1 << 25,)], ids=str)
def test_a_large_array_is_never_made_a_list(bounded, shape):
    got = np.broadcast_to(np.zeros((), np.int8), shape[:32])  # at most 32 axes, for NumPy 1
    with pytest.raises(Mismatch):
        require_equal(got, ["the", "cat"])
    with pytest.raises(Mismatch):
        require_equal(got, [[1.0], [2.0]])


def test_arrays_in_place_of_lists_still_count():
    require_equal(np.array([1, 2]), [1, 2])
    require_equal(np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]])
    with pytest.raises(Mismatch):
        require_equal(np.array([[1, 2], [3, 5]]), [[1, 2], [3, 4]])
    with pytest.raises(Mismatch):
        require_equal(np.array(5), [5])


def test_a_list_of_arrays_does_not_grow_in_the_grader(bounded):
    got = [np.zeros(60_000, np.int8) for _ in range(900)] + [np.zeros(60_000, np.complex128)]
    with pytest.raises(Mismatch, match="millions of numbers"):
        require_equal(got, np.zeros((2, 2)))


@pytest.mark.parametrize("number", [10**4299, -(10**4000), 2**1024], ids=["4,300 digits", "negative", "2^1024"])
def test_bare_integers_are_bounded(number):
    with pytest.raises(WireError):
        decode_tree(b'{"k":"list","of":[%d]}' % number)


LONG = {
    "lists": b"[" + b"[]," * 2_000_000 + b"[]]",
    "dicts": b"[" + b"{}," * 2_000_000 + b"{}]",
    "deep": b"[" * 4_000_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=list(LONG))
def test_parts_are_counted_before_they_are_made(bounded, text):
    with pytest.raises(WireError):
        decode_tree(text)


def test_texts_are_bounded(bounded):
    with pytest.raises(WireError):
        decode_tree(json.dumps("x" * 200_000).encode())


def test_a_list_just_below_the_node_limit_is_decoded():
    value = [[float(n)] for n in range(MAX_NODES // 2 - 2)]
    message = encode(value)
    assert decode(message[8:], b"") == value


@pytest.mark.parametrize("dtype", ["\x1b]0;owned\x07", "", "x" * 41, "caf\u00e9", 5])
def test_an_omitted_array_has_a_dtype_name(dtype):
    with pytest.raises(WireError):
        decode_tree({"k": "omitted", "shape": [3], "dtype": dtype})
    assert "\x1b" not in format_value(Omitted((3,), "\x1b[2J"))


def test_the_grader_keeps_no_result_that_is_larger_than_any_exercise_asks_for():
    worker, many = start_worker(()), MAX_REPLY_BYTES // 8 + 1
    worker.ask(["load", [("a.py", 1, "import numpy\ndef f(n):\n    return numpy.zeros(n)")], False], 20)
    assert worker.ask(["call", "f", [many], {}], 20)["value"] == Omitted((many,), "float64")
    worker.close()


CALL = ["call", "softmax", [1.0], {}]


@pytest.mark.parametrize(
    "reply",
    [
        {"value": 1.0, "ref": 0, "changed": [2**900]},
        {"value": 1.0, "ref": 0, "changed": [-1]},
        {"value": 1.0, "ref": 0, "changed": [True]},
        {"value": 1.0, "ref": 2**900},
        {"error": {"type": "E", "message": "", "where": [["a", 2**900, "f", "x"]]}},
    ],
    ids=["changed", "negative", "boolean", "ref", "line"],
)
def test_numbers_that_count_are_bounded(reply):
    assert not is_reply(reply, CALL)


def test_a_largest_tensor_of_thousands_of_axes_is_refused():
    asked = ["measure", 0, {}, {"largest": 10}]
    assert is_reply({"value": {"largest": (4, 5)}}, asked)
    assert not is_reply({"value": {"largest": (2**61,) * 1900}}, asked)
    assert not is_reply({"value": {"largest": (2**900,)}}, asked)
