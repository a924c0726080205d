"""Hidden suite of KeyValueCache: portions of any size, separate caches, gradients, and memory of a late call."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, Harness, agrees, named
from autograder.suite.modules import tensor

NAMES = "all_k all_v"


def _pieces(draw, lengths, *batch, heads=3, d=4):
    """Return a pair of keys and values for each length, divided by 3 to reveal half precision."""
    return [[draw(*batch, heads, m, d) / 3 for _ in range(2)] for m in lengths]


def _both(piece, dtype="float32"):
    return [tensor(numbers, dtype) for numbers in piece]


def _so_far(pieces):
    """Return the expected result: all keys and values that were appended so far."""
    return named(NAMES, [tensor(np.concatenate(parts, axis=-2), "float64") for parts in zip(*pieces, strict=True)])


def _append_all(answer, pieces, dtype="float32"):
    """Append one piece after another and compare the result of every call."""
    cache, reply = _first_append(answer, pieces[0], dtype)
    reply.equals(_so_far(pieces[:1]))
    for number, piece in enumerate(pieces[1:], start=2):
        cache.method("append", *_both(piece, dtype)).equals(_so_far(pieces[:number]))


def _begin(answer, expected, *arguments):
    """Return a new cache and its first reply. If caches share words, use a new process, so that only one test fails."""
    cache = answer.build()
    reply = cache.method("append", *arguments)
    if reply.call.error is None and agrees(reply.call.value, expected):
        return cache, reply
    answer.start_afresh(forget=reply.call.maker)
    cache = answer.build()
    return cache, cache.method("append", *arguments)


def _first_append(answer, piece, dtype="float32"):
    return _begin(answer, _so_far([piece]), *_both(piece, dtype))


# This test comes first, because caches that share their words would disturb later tests as well.
@pytest.mark.points(2, checks=["caches that share nothing"])
def test_caches_know_nothing_of_each_other(answer, draw):
    texts = [_pieces(draw, (1, 1, 2, 3), 2) for _ in range(3)]
    caches, replies = [answer.build() for _ in texts], []
    for number in range(4):
        for cache, pieces in zip(caches, texts, strict=True):
            replies.append((cache.method("append", *_both(pieces[number])), pieces[: number + 1]))
    for reply, pieces in replies:
        reply.equals(_so_far(pieces))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer):
    first = [np.array([[[1.0, 2.0], [3.0, 4.0]]]), np.array([[[0.5, 0.0], [0.0, 0.5]]])]
    _append_all(answer, [first, [np.array([[[5.0, 6.0]]]), np.array([[[0.5, 0.5]]])]])


@pytest.mark.points(1.5, checks=["in portions of any size"])
def test_portions_of_any_size(answer, draw):
    for lengths in ((1, 1, 1, 1, 1), (5, 1, 1), (2, 3, 1), (6,), (1, 4, 2, 7)):
        _append_all(answer, _pieces(draw, lengths))
    # Append more words than a preallocated array may have room for.
    _append_all(answer, _pieces(draw, (3, 1, 4100, 1, 100), heads=1, d=2))


@pytest.mark.points(1.5, checks=["for any number of heads and of leading batch dimensions, or none"])
def test_batches_and_other_sizes(answer, draw):
    for batch, heads, d, dtype in (((2,), 7, 4, "float32"), ((2, 3), 2, 5, "float64"), ((1,), 1, 1, "float32")):
        _append_all(answer, _pieces(draw, (1, 1, 3, 2), *batch, heads=heads, d=d), dtype)
    # All axes are as long as a piece, so that concatenating along a wrong one raises no error.
    _append_all(answer, _pieces(draw, (3, 3), 3, heads=3, d=3))
    _append_all(answer, _pieces(draw, (1, 1, 1), heads=1, d=1))


@pytest.mark.points(1, checks=["results that later calls leave unchanged"])
def test_inputs_and_results_stay(answer, draw):
    pieces = _pieces(draw, (2, 1, 1, 4), 2)
    cache, first = _first_append(answer, pieces[0])
    replies = [first.leaves_arguments_alone()]
    replies += [cache.method("append", *_both(piece)).leaves_arguments_alone() for piece in pieces[1:]]
    for number, reply in enumerate(replies, start=1):
        reply.still_equals(_so_far(pieces[:number]))


@pytest.mark.points(0.5, checks=["gradients that reach what is appended"])
def test_gradients_reach_what_is_appended(answer, solution, draw):
    first, *more = _pieces(draw, (3, 2, 1), 2)
    (cache, _), same = _first_append(answer, first, "float64"), solution.build()
    same.method("append", *_both(first, "float64"))
    for piece in more:
        inputs, which = _both(piece, "float64"), {"method": "append", "results": (0, 1)}
        cache.gradients(*inputs, **which).flows_like(same.gradients(*inputs, **which))


@pytest.mark.points(0.5, checks=["gradients that reach what is appended"])
def test_gradients_reach_what_was_appended_before(answer, solution, draw):
    for batch, lengths in (((2,), (3, 1, 2)), ((), (1, 1))):
        k, v = (tensor(draw(*batch, 3, sum(lengths), 4), "float64") for _ in range(2))
        portions = f"in parts of {' + '.join(map(str, lengths))} words"
        harness = Harness("append", portions, {"lengths": list(lengths), "tells": "gradients"})
        expected = named("gradient_of_k gradient_of_v", solution.build().method("append", k, v, harness))
        _, reply = _begin(answer, expected, k, v, harness)
        if isinstance(reply.value, list) and None in reply.value:
            reply.fails("passes no gradient to what was appended before, as if it were detached")
        reply.equals(expected, rtol=1e-4)


@pytest.mark.points(1, checks=["the forty-first may allocate at most eight times as many numbers as it returns"])
def test_no_call_begins_anew(answer, draw):
    pieces = _pieces(draw, (1,) * 41, heads=2)
    cache, reply = _first_append(answer, pieces[0])
    for piece in pieces[1:-1]:
        reply = cache.method("append", *_both(piece)).leaves_arguments_alone()
    reply.equals(_so_far(pieces[:-1]))
    returned = 2 * 2 * 41 * 4
    plenty = "eight times what it returns. Store the result"
    cache.measure("append", *_both(pieces[-1]), made=8 * returned).stays_within(plenty)
