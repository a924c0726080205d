"""Hidden suite of rank_by_similarity: vectors of different lengths, opposite sentences, order of similarities."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY, as_array, named
from autograder.suite.modules import tensor


def _vectors(draw, rng, n, d, low=-3):
    """Return a query, and sentences of various lengths and with different cosines, not yet sorted by cosine.

    If `low` is 0, no cosine is negative.
    """
    while True:
        query, sentences = draw(d, low=low), draw(n, d, low=low) * np.linspace(0.5, 40, n)[rng.permutation(n), None]
        lengths_of_rows = np.linalg.norm(sentences, axis=-1)
        if not query.any() or not lengths_of_rows.all():
            continue
        cosines = sentences @ query / (lengths_of_rows * np.linalg.norm(query))
        if n == 1 or (np.diff(np.sort(cosines)).min() > 1e-3 and np.diff(cosines).max() > 0):
            return query, sentences


def _compare(answer, solution, query, sentences, dtype="float32"):
    expected = solution(tensor(query, "float64"), tensor(sentences, "float64"))
    reply = answer(tensor(query, dtype), tensor(sentences, dtype)).equals(named("order similarities", expected))
    if not any(as_array(part).dtype.kind in "iu" for part in reply.value):  # the order may be the second result
        reply.fails("returned an order that contains no integers, so it cannot be used as indices", "dtype")


@pytest.mark.points(0.75, checks=[EXAMPLES])
def test_example(answer, solution):
    sentences = np.array([[4.0, -3.0], [0.5, 0.5], [0.0, 9.0], [-8.0, -6.0]])
    _compare(answer, solution, np.array([4.0, 3.0]), sentences, "float64")


@pytest.mark.points(1.25, checks=["for vectors of any length other than 0"])
def test_other_vectors(answer, solution, draw, rng):
    for n, d in ((5, 3), (9, 4), (4, 16), (24, 8)):
        _compare(answer, solution, *_vectors(draw, rng, n, d))
    _compare(answer, solution, *_vectors(draw, rng, 3, 3), "float64")


@pytest.mark.points(0.75, checks=["any positive number of sentences"])
def test_few_sentences_and_short_vectors(answer, solution, draw, rng):
    for n, d in ((1, 3), (1, 1), (2, 5)):
        _compare(answer, solution, *_vectors(draw, rng, n, d, low=0))


@pytest.mark.points(1, checks=["Their cosines, from the largest to the smallest."])
def test_opposite_sentences_come_last(answer, solution, draw):
    query = draw(4) + 20  # all numbers positive
    aside = [9, 0, 0, 0]  # so that no two directions are equal
    sentences = np.stack([-3 * query, query + draw(4) + aside, -query - draw(4) - aside, 2 * query])
    _compare(answer, solution, query, sentences, "float64")
    _compare(answer, solution, np.array([2.0]), np.array([[-3.0], [0.5]]))


@pytest.mark.points(0.75, checks=[TENSORS_STAY])
def test_calls_do_not_depend_on_each_other(answer, solution, draw, rng):
    inputs, others = ([tensor(each) for each in _vectors(draw, rng, n, 4, low=0)] for n in (5, 7))
    expected = named("order similarities", solution(*inputs))
    first = answer(*inputs).leaves_arguments_alone()
    answer(*others).equals(named("order similarities", solution(*others)))
    first.still_equals(expected)


@pytest.mark.points(0.75, checks=["Sort sentences by how similar their direction is to that of a query."])
def test_sentences_that_are_similar(answer, solution, draw):
    query = draw(4) + 20  # all numbers positive
    sentences = query + np.array([[0, -40, 0, 0], [15, 0, 0, 0], [1, 0, 0, -2], [0, 0, 30, 0]])
    _compare(answer, solution, query, np.array([[3.0], [0.5], [9], [1]]) * sentences, "float64")


@pytest.mark.points(0.75, checks=["the cosines *in that order*"])
def test_each_similarity_is_that_of_its_sentence(answer, draw, rng):
    # The answer may sort in either direction.
    query, sentences = _vectors(draw, rng, 6, 4, low=0)
    cosines = sentences @ query / (np.linalg.norm(sentences, axis=-1) * np.linalg.norm(query))
    reply = answer(tensor(query), tensor(sentences))
    order, similarities = _two_results(reply)
    if sorted(order.ravel()) != list(range(6)):
        reply.fails("should return the index of every sentence exactly once")
    if similarities.shape != (6,) or not np.allclose(similarities, cosines[order.astype(int)], atol=1e-5):
        reply.fails("should return the cosine similarity of each sentence, in the returned order")


def _two_results(reply):
    if not isinstance(reply.value, (tuple, list)) or len(reply.value) != 2:
        reply.fails("should return two results")
    return [as_array(part) for part in reply.value]
