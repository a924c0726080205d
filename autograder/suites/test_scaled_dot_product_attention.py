"""Hidden suite of scaled_dot_product_attention: masks, hidden keys, rows without keys, and large scores."""

import numpy as np
import pytest

from autograder.suite import ALL_DIGITS, ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, named, parts
from autograder.suite.modules import require_shares, require_weighted_sum

QUERY, KEY = [[2, 0], [0, 2]], [[1, 0], [0, 1], [1, 1]]
VALUE = [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
# Every query may attend to something, and no two rows are equal.
MASK = np.array(
    [
        [True, False, True, True, False],
        [False, True, False, False, False],
        [True, True, False, True, True],
    ]
)


def _inputs(draw, *batch, n_q=3, n_k=5, d_k=1, d_v=1):
    """Return queries, keys and values, small because large scores saturate softmax and hide a wrong scale.

    Tests that do not check the scale use keys of width 1: then nothing is scaled.
    """
    small = {"low": -1.5, "high": 1.5}
    return draw(*batch, n_q, d_k, **small), draw(*batch, n_k, d_k, **small), draw(*batch, n_k, d_v)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    answer(QUERY, KEY, VALUE).equals(named("output weights", solution(QUERY, KEY, VALUE)))


@pytest.mark.points(
    1, checks=["Only two things are required: queries are as wide as keys, and there are as many values as keys."]
)
def test_other_sizes(answer, solution, draw):
    for n_q, n_k, d_k, d_v in (
        (3, 5, 4, 6),
        (4, 2, 9, 1),
        (1, 6, 3, 2),
        (5, 1, 2, 3),
        (2, 3, 1, 4),
        (35, 67, 2, 3),
        (4, 4, 4, 4),
    ):
        inputs = _inputs(draw, n_q=n_q, n_k=n_k, d_k=d_k, d_v=d_v)
        answer(*inputs).equals(named("output weights", solution(*inputs)))


@pytest.mark.points(1, checks=["any leading batch dimensions, the same for query, key and value"])
def test_batches(answer, solution, draw):
    for batch in ((2,), (2, 3), (1,)):
        inputs = _inputs(draw, *batch, d_v=6)
        answer(*inputs).equals(named("output weights", solution(*inputs)))
    inputs = _inputs(draw, 3, n_q=3, n_k=3, d_v=3)
    answer(*inputs).equals(named("output weights", solution(*inputs)))


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000, in plain float64"])
def test_large_scores(answer, solution, draw):
    # With d_k = 4 and integers, the scaled scores are exact in float32: up to 20000, far apart or close together.
    query = np.array([[100, 100, 100, 100], [-100, -100, -100, -100], [1, 0, 1, 0], [100, 0, 0, 0]], dtype=float)
    key = np.array([[100, 100, 100, 100], [100, 100, 100, 99], [-100, -100, -100, -100], [2, 0, 1, 0]], dtype=float)
    value = draw(4, 3)
    answer(query, key, value).equals(named("output weights", solution(query, key, value)))
    answer(query[3:], key[:2], value[:2]).equals(named("output weights", solution(query[3:], key[:2], value[:2])))
    # Scores of nearly a million, the largest that the text allows.
    query, key = [[400, 2, 0, 0], [0, 1, 0, 0]], [[4950, 0, 0, 0], [4950, -1, 0, 0], [-4950, 1, 0, 0]]
    answer(query, key, value[:3]).equals(named("output weights", solution(query, key, value[:3])))
    query = np.array([[90.1, 90.2], [-90.3, 90.1], [90.15, 90.11]])  # not exact in float32
    key = np.array([[111.1, 111.2], [111.103, 111.201], [111.12, 111.18], [111.094, 111.2]])
    answer(query, key, value).equals(named("output weights", solution(query, key, value)))


@pytest.mark.points(1, checks=["A score that must not count has to end up with the weight 0"])
def test_mask(answer, solution, draw):
    for batch in ((), (2,), (2, 3)):
        inputs = _inputs(draw, *batch, d_k=4, d_v=6)
        answer(*inputs, MASK).equals(named("output weights", solution(*inputs, MASK)))
    inputs = _inputs(draw, n_q=4, n_k=4, d_k=4, d_v=4)
    answer(*inputs, np.tri(4, dtype=bool)).equals(named("output weights", solution(*inputs, np.tri(4, dtype=bool))))


@pytest.mark.points(1, checks=["a Boolean array that NumPy can stretch to the shape of the weights"])
def test_masks_of_every_rank(answer, solution, draw):
    for batch, shape in (((2,), (2, 3, 5)), ((2,), (2, 1, 5)), ((2, 3), (2, 1, 1, 5)), ((2, 3), (2, 1, 3, 5))):
        inputs, mask = _inputs(draw, *batch, d_k=4, d_v=6), draw(*shape) > 0
        mask[..., 1], mask[0, ..., 3] = True, False
        answer(*inputs, mask).equals(named("output weights", solution(*inputs, mask)))
    for batch, mask in (((), MASK[0]), ((2, 3), MASK[2]), ((2,), MASK[:, :1] | True), ((2,), MASK[None])):
        inputs = _inputs(draw, *batch, d_k=4, d_v=4)
        answer(*inputs, mask).equals(named("output weights", solution(*inputs, mask)))


@pytest.mark.points(1, checks=["A score that must not count has to end up with the weight 0"])
def test_what_is_hidden_does_not_matter(answer, solution, draw):
    query, key, value = _inputs(draw, 2, d_k=4, d_v=6)
    mask = np.array([True, True, False, True, False])
    expected = named("output weights", solution(query, key, value, mask))
    other_key, other_value = key.copy(), value.copy()
    other_key[:, ~mask], other_value[:, ~mask] = draw(2, 2, 4), draw(2, 2, 6, low=-60, high=60)
    answer(query, other_key, other_value, mask).equals(expected)
    large = np.where(mask[:, None], key, 4096 * other_key)  # hidden keys with by far the largest scores
    answer(query, large, other_value, mask).equals(expected)


@pytest.mark.points(1, checks=["scaled scores between -1,000,000 and 1,000,000"])
def test_mask_below_strongly_negative_scores(answer, solution, draw):
    # All scores are near -5000, so a fill of -100 would be the largest.
    query, value = np.full((3, 1), 100.0) + draw(3, 1, low=0, high=0.5).round(), draw(5, 1)
    key = np.full((5, 1), -50.0)
    key[:, 0] += np.array([0.0, 0.03125, -0.03125, 0.0625, 0.015625])
    answer(query, key, value, MASK).equals(named("output weights", solution(query, key, value, MASK)))


@pytest.mark.points(1, checks=["One value in each row: row i is the value of key i."])
def test_order_of_keys_does_not_matter(answer, solution, draw, rng):
    query, key, value = _inputs(draw, d_v=6)
    order = rng.permutation(5)
    output, weights = solution(query, key, value)
    expected = parts(output=output, weights=weights[:, order])
    answer(query, key[order], value[order]).equals(expected)


@pytest.mark.points(1, checks=[ARRAY_LIKE])
def test_lists_and_integers(answer, solution):
    query, key, value = [[1, 2, 0]], [[1, 0, 1], [-2, 1, 0], [0, 1, 2]], [[4, 1], [0, 3], [-1, 2]]
    expected = named("output weights", solution(query, key, value))
    answer(query, key, value).equals(expected)
    answer(*(tuple(map(tuple, numbers)) for numbers in (query, key, value))).equals(expected)
    answer(*(np.array(numbers) for numbers in (query, key, value))).equals(expected)
    answer(*(np.array(numbers, dtype=np.float32) for numbers in (query, key, value))).equals(expected)
    mask = np.array([[False, True, True]])  # scores are scaled with a mask, too
    answer([query], [key], [value], mask).equals(named("output weights", solution([query], [key], [value], mask)))


@pytest.mark.points(1, checks=[ARRAYS_STAY])
def test_inputs_stay(answer, solution, draw):
    inputs = _inputs(draw)
    first = answer(*inputs)
    for mask in ((), (MASK.copy(),)):  # wider queries: dividing by sqrt(1) in place would change nothing
        answer(*_inputs(draw, d_k=4, d_v=6), *mask).leaves_arguments_alone()
        answer(*_inputs(draw), *mask)
    first.still_equals(named("output weights", solution(*inputs)))


@pytest.mark.points(2, checks=["In this course such a row has weights 0 and output 0."])
def test_a_row_that_may_attend_to_nothing(answer, solution, draw):
    inputs, mask = _inputs(draw), MASK.copy()
    mask[1] = False
    answer(*inputs, mask).leaves_arguments_alone().equals(named("output weights", solution(*inputs, mask)))
    inputs, mask = _inputs(draw, 2), np.array([[[True, True, False, False, False]], [[False] * 5]])
    answer(*inputs, mask).equals(named("output weights", solution(*inputs, mask)))


@pytest.mark.points(2, checks=["Row i sums to 1"])
def test_weights_are_shares(answer, draw):
    for batch in ((), (2,)):
        require_shares(answer(*_inputs(draw, *batch, d_k=4, d_v=6), MASK), MASK, atol=ALL_DIGITS)


@pytest.mark.points(1, checks=["The weighted sum of the values for each query."])
def test_output_is_a_mixture(answer, draw):
    for batch in ((), (2,)):
        inputs = _inputs(draw, *batch, d_k=4, d_v=6)
        require_weighted_sum(answer(*inputs), inputs[2])
