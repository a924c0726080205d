"""No reply of a worker makes the grader slow, uses much of its memory, or causes an internal error."""

import json
import time
import tracemalloc

import numpy as np
import pytest

from autograder.boundary.channel import start_worker
from autograder.judging.values.compare import Mismatch, require_equal
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


def test_the_grader_keeps_no_result_that_is_larger_than_any_exercise_asks_for():
    worker, many = start_worker(()), MAX_REPLY_BYTES // 8 + 1
    worker.ask(["load", [("a.py", 1, "import numpy\ndef f(n):\n    return numpy.zeros(n)")], False], 20)
    assert worker.ask(["call", "f", [many], {}], 20)["value"] == Omitted((many,), "float64")
    worker.close()
