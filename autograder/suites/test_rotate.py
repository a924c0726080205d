"""Hidden suite of rotate: bases, distant positions, lengths, scores by distance, and gradients."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor

FLOAT32 = 1e-4  # angles in float32 lose a digit up to position 20
FLOAT64 = 1e-8  # as the text requires


def _places(rng, n, highest=20):
    """Return random positions of 1 or more, which rarely equal the row indices."""
    return tensor(rng.integers(1, highest, size=n), "int64")


def _below_the_axis(lengths, positions, base=10_000.0):
    """Return pairs of these lengths that rotate from half their angle below the axis to half of it above.

    The first number of each pair stays, so an answer that computes the second number from the rotated first one passes.
    """
    pairs = np.arange(lengths.shape[-1])
    half = positions.array[:, None] / base ** (pairs / len(pairs)) / 2
    return np.stack([lengths * np.cos(half), -lengths * np.sin(half)], axis=-1).reshape(*lengths.shape[:-1], -1)


def _agrees(answer, solution, x, positions, *base, dtype="float32", rtol=FLOAT32):
    expected = solution(tensor(x, "float64"), positions, *base)
    return answer(tensor(x, dtype), positions, *base).equals(expected, rtol=rtol)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    x = np.array([[1, 0, 1, 0], [1, 0, 1, 0], [1, 2, 3, 4]])
    _agrees(answer, solution, x, tensor([0, 1, 5], "int64"), dtype="float64")


@pytest.mark.points(1, checks=["for any even $d$, any whole positions in any order"])
def test_other_sizes(answer, solution, draw, rng):
    for n, d in ((3, 8), (5, 6), (4, 4), (1, 10), (2, 16), (2, 130)):
        _agrees(answer, solution, draw(n, d), _places(rng, n))
    for positions in (range(6), [9, 0, 4, 9, 1, 9]):
        _agrees(answer, solution, draw(6, 8), tensor(positions, "int64"))


@pytest.mark.points(1.25, checks=["for any even $d$"])
def test_one_pair(answer, solution, draw, rng):
    # One pair has one frequency, so their order has no effect.
    for shape in ((6, 2), (1, 2), (2, 5, 2)):
        _agrees(answer, solution, draw(*shape), _places(rng, shape[-2]))


@pytest.mark.points(
    1.75,
    checks=[
        "any number of leading batch dimensions, or none",
        "the dtype of `x`, float32 or float64",
        "tensors that are not contiguous in memory",
    ],
)
def test_batches_and_number_types(answer, solution, draw, rng):
    for batch, dtype in (((2,), "float32"), ((2, 3), "float64"), ((1,), "float64"), ((3, 1, 2), "float32")):
        reply = _agrees(answer, solution, draw(*batch, 5, 6), _places(rng, 5), 10_000.0, dtype=dtype)
        if (results := reply.array.dtype) != dtype:
            reply.fails(f"returned numbers of {results}, expected {dtype}, the dtype of x", "dtype")
    # Batch axes as long as the other axes, so that positions along the wrong axis raise no error about shapes.
    _agrees(answer, solution, draw(4, 4, 4), _places(rng, 4), 10_000.0)
    _agrees(answer, solution, draw(5, 3, 5, 6), _places(rng, 5), 10_000.0)
    x, positions = tensor(draw(2, 4, 6), "float64", apart=True), _places(rng, 4)
    answer(x, positions, 10_000.0).equals(solution(x, positions))


@pytest.mark.points(1, checks=["any `base`"])
def test_base(answer, solution, draw, rng):
    for base in (100.0, 500_000.0, 2.0, 10_000.0):
        positions = _places(rng, 4)
        x = _below_the_axis(draw(2, 4, 4, low=1), positions, base)
        _agrees(answer, solution, x, positions, base, dtype="float64")


@pytest.mark.points(1.5, checks=["correct to eight digits, even at position 100,000"])
def test_far_away(answer, solution, draw):
    positions = tensor([100_000, 3, 99_999, 31_415, 100_001], "int64")
    for batch in ((), (2,)):
        x = _below_the_axis(draw(*batch, 5, 8, low=1), positions)
        _agrees(answer, solution, x, positions, 10_000.0, dtype="float64", rtol=FLOAT64)


def _turns(answer, draw, rng):
    """Return the reply of a call that must rotate random rows, and these rows before the rotation."""
    x = draw(2, 5, 8)
    reply = answer(tensor(x), _places(rng, 5))
    return reply.satisfies(lambda turned: not np.allclose(turned, x, atol=1e-2), "rotated rows"), x


@pytest.mark.points(0.5, checks=["rows that keep their length (norm)"])
def test_lengths_are_kept(answer, draw, rng):
    reply, x = _turns(answer, draw, rng)

    def as_long(turned):
        return np.allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-4)

    reply.satisfies(as_long, "rows as long as before: rotation keeps lengths")


@pytest.mark.points(0.5, checks=["Rotate each pair of neighbouring columns by an angle that grows with the position"])
def test_lengths_of_pairs_are_kept(answer, draw, rng):
    reply, x = _turns(answer, draw, rng)

    def of_neighbours(turned):
        lengths = [np.linalg.norm(rows.reshape(2, 5, 4, 2), axis=-1) for rows in (turned, x)]
        return np.allclose(*lengths, rtol=1e-4, atol=1e-4)

    reply.satisfies(of_neighbours, "each pair of neighbouring columns as long as before")


def _turned(answer, x, positions):
    reply = answer(tensor(x, "float64"), positions)
    return reply.satisfies(lambda turned: turned.shape == x.shape, f"as many rows and columns as x, {x.shape}").array


@pytest.mark.points(1, checks=["scores that stay the same when all positions are shifted"])
def test_only_the_distance_counts(answer, draw, rng):
    queries, keys = draw(2, 4, 8), draw(2, 4, 8)
    positions = _places(rng, 4)
    scores = _turned(answer, queries, positions) @ np.swapaxes(_turned(answer, keys, positions), -2, -1)
    for steps in (7, 60_000):
        later = tensor(positions.array + steps, "int64")
        moved = _turned(answer, queries, later)

        def same_scores(turned, moved=moved):
            return np.allclose(moved @ np.swapaxes(turned, -2, -1), scores, atol=1e-7)

        sentence = f"rows with the same scores, of queries with keys, when all positions move on by {steps}"
        answer(tensor(keys, "float64"), later).satisfies(same_scores, sentence)


@pytest.mark.points(0.75, checks=["gradients that reach `x`"])
def test_gradients_reach_x(answer, solution, draw, rng):
    for batch in ((), (2,)):
        x, positions = tensor(draw(*batch, 5, 6), "float64"), _places(rng, 5)
        answer.gradients(x, positions, 10_000.0).flows_like(solution.gradients(x, positions))


@pytest.mark.points(0.25, checks=[TENSORS_STAY])
def test_inputs_and_results_stay(answer, draw, rng):
    # Other tests check the numbers.
    first = answer(tensor(draw(2, 5, 6), "float64"), _places(rng, 5), 10_000.0).leaves_arguments_alone()
    numbers = first.array.copy()
    answer(tensor(draw(2, 5, 6), "float64"), _places(rng, 5), 10_000.0)
    first.still_equals(tensor(numbers, "float64"))


@pytest.mark.points(1.5, checks=["the numbers, with neighbours paired"])
def test_each_pair_turns_by_itself(answer, draw, rng):
    # Other tests check the direction and the angle.
    x, positions = draw(4, 6), tensor([0, 3, 1, 5], "int64")
    turned, more = _turned(answer, x, positions), draw(4, 2, low=1)
    for pair in range(3):
        columns = slice(2 * pair, 2 * pair + 2)
        other = x.copy()
        other[:, columns] += more

        def moves_alone(found, columns=columns):
            change = found - turned
            rest = np.delete(change, np.arange(6)[columns], axis=-1)
            is_turned = not np.allclose(change[1:, columns], more[1:], atol=1e-5)
            return np.allclose(rest, 0, atol=1e-9) and np.allclose(change[0, columns], more[0]) and is_turned

        sentence = f"other numbers in columns {2 * pair} and {2 * pair + 1} alone, where x has others there"
        answer(tensor(other, "float64"), positions).satisfies(moves_alone, sentence)
