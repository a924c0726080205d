"""Hidden suite of attention_scores: sizes, batches, lists, integers, and scores that are not scaled."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES

WORDS = "0.43 0.15 0.89  0.55 0.87 0.66  0.57 0.85 0.64  0.22 0.58 0.33  0.77 0.25 0.10  0.05 0.80 0.55"
JOURNEY = np.array(WORDS.split(), dtype=float).reshape(6, 3)


@pytest.mark.points(0.75, checks=[EXAMPLES])
def test_journey(answer, solution):
    answer(JOURNEY, JOURNEY).equals(solution(JOURNEY, JOURNEY))


@pytest.mark.points(1, checks=["for any numbers of queries and keys"])
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, d in ((3, 5, 4), (5, 2, 1), (1, 4, 3), (4, 1, 2), (1, 1, 5)):
        queries, keys = draw(n_q, d), draw(n_k, d)
        answer(queries, keys).equals(solution(queries, keys))


@pytest.mark.points(0.75, checks=["query $i$ and key $j$ give the number in row $i$, column $j$"])
def test_as_many_queries_as_keys(answer, solution, draw):
    for n, d in ((3, 3), (4, 2)):
        queries, keys = draw(n, d), draw(n, d)
        answer(queries, keys).equals(solution(queries, keys))


@pytest.mark.points(1, checks=["with any number of leading batch dimensions"])
def test_batches(answer, solution, draw):
    for batch, n_q, n_k, d in (((2,), 3, 5, 4), ((2, 3), 3, 5, 4), ((3,), 3, 3, 3), ((1,), 2, 1, 3), ((2, 2), 2, 2, 2)):
        queries, keys = draw(*batch, n_q, d), draw(*batch, n_k, d)
        answer(queries, keys).equals(solution(queries, keys))


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer):
    answer([[1, 2], [0, -1], [3, 1]], [[4, 0], [1, 5]]).equals(np.array([[4.0, 11.0], [0.0, -5.0], [12.0, 8.0]]))
    answer(np.arange(6).reshape(2, 3), np.eye(3, dtype=int)).equals(np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]))
    answer(((1, 2), (3, -1)), np.array([[0.5, 0.25]], dtype=np.float32)).equals(np.array([[1.0], [1.25]]))
    answer(np.array([[0.5, 0.25]]), [[1, 2], [3, -1]]).equals(np.array([[1.0, 1.25]]))
    answer([[[1.5, 2.0]], [[0.0, -1.0]]], [[[2, 0]], [[7, 3]]]).equals(np.array([[[3.0]], [[-3.0]]]))


@pytest.mark.points(0.5, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    queries, keys = draw(2, 3, 4), draw(2, 5, 4)
    first = answer(queries, keys).leaves_arguments_alone()
    answer(draw(2, 3, 4), draw(2, 5, 4))
    first.still_equals(solution(queries, keys))


# The next two tests also pass for scaled scores: other tests check the numbers.
@pytest.mark.points(0.75, checks=["the plain dot products (nothing is scaled yet)"])
def test_twice_the_query_has_twice_the_scores(answer, draw):
    queries, keys = draw(3, 4), draw(5, 4)
    scores = answer(queries, keys).array

    def are_doubled(twice):
        return twice.shape == (3, 5) and np.ptp(twice) > 0 and np.allclose(twice, 2 * scores)

    answer(2 * queries, keys).satisfies(are_doubled, "scores that are twice as large for twice the queries")


@pytest.mark.points(0.75, checks=["Row i holds the scores of query i, one for each key."])
def test_keys_that_fit_better_score_higher(answer, solution, draw):
    gap = 0.0
    while gap < 1e-3:  # In float32, closer scores may change their order.
        queries, keys = draw(3, 4, exact=False), draw(5, 4, exact=False)
        expected = solution(queries, keys)
        order, gap = np.argsort(expected, axis=-1), np.diff(np.sort(expected, axis=-1)).min()

    def have_the_order(scores):
        return scores.shape == (3, 5) and (np.argsort(scores, axis=-1) == order).all()

    answer(queries, keys).satisfies(have_the_order, "the largest score of a row for the key that fits best, and so on")
