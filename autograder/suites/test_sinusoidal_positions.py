"""Hidden suite of sinusoidal_positions: small and large tables, neighbouring sines and cosines, and position 0."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, TENSORS_STAY
from autograder.suite.modules import tensor

FLOAT32 = 1e-4  # angles in float32 lose a digit or two up to position 60


def _agrees(answer, solution, n, d, rtol=FLOAT32):
    return answer(n, d).equals(solution(n, d), rtol=rtol)


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _agrees(answer, solution, 3, 4)
    _agrees(answer, solution, 31, 6)


@pytest.mark.points(1.25, checks=["the numbers in their columns, for any $n$ and any even $d$"])
def test_other_sizes(answer, solution, rng):
    for n, d in ((5, 8), (7, 10), (4, 4), (12, 6), (50, 16)):
        _agrees(answer, solution, n, d)
    _agrees(answer, solution, int(rng.integers(20, 60)), 2 * int(rng.integers(7, 20)))


@pytest.mark.points(0.75, checks=["including $n = 1$ and $d = 2$", "in a table of a few hundred rows"])
def test_small_and_large_tables(answer, solution):
    for n, d in ((1, 6), (7, 2), (2, 2), (1, 2), (3, 64), (6, 130)):
        _agrees(answer, solution, n, d)
    _agrees(answer, solution, 700, 4, rtol=1e-3)


@pytest.mark.points(0.75, checks=["The sine and the cosine *of the same angle* are next to each other."])
def test_hands_of_clocks(answer):
    """Check that each pair is a point on a circle, and that dot products depend only on the distance."""

    def on_circles(table):
        return np.allclose((table.reshape(9, 4, 2) ** 2).sum(axis=-1), 1, atol=1e-4)

    def by_distance(table):
        products = table @ table.T
        return all(np.ptp(np.diagonal(products, distance)) < 1e-3 for distance in range(9))

    sentence = "one row for each of 9 positions, 8 columns wide"
    reply = answer(9, 8).satisfies(lambda table: table.shape == (9, 8), sentence)
    reply.satisfies(lambda table: np.ptp(table, axis=0).max() > 1e-3, "rows that differ from position to position")
    reply.satisfies(on_circles, "a sine and a cosine of one angle side by side: their squares add up to 1")
    reply.satisfies(by_distance, "rows whose dot products depend on the distance of their positions alone")


@pytest.mark.points(0.5, checks=[TENSORS_STAY])
def test_results_stay(answer):
    # Other tests check the numbers.
    first = answer(6, 8)
    numbers = tensor(first.array.copy(), "float64")
    answer(6, 4), answer(5, 8)
    first.still_equals(numbers)
    answer(6, 8).is_new_each_time(numbers)


@pytest.mark.points(1.25, checks=["Positions are counted from 0, where every sine is 0 and every cosine is 1."])
def test_where_they_begin(answer):
    # Other tests check the order of the columns.
    for n, d in ((9, 8), (5, 6)):
        reply = answer(n, d).satisfies(lambda table, size=(n, d): table.shape == size, f"{n} rows of {d} columns")
        reply.satisfies(lambda table: (np.abs(table) <= 1 + 1e-6).all(), "numbers between -1 and 1")
        sentence = "a first row with as many zeros as ones"
        halves = np.repeat([0.0, 1.0], d // 2)
        reply.satisfies(lambda table, halves=halves: np.allclose(np.sort(table[0]), halves, atol=1e-6), sentence)
        reply.satisfies(lambda table: np.ptp(table, axis=0).max() > 1e-3, "rows that differ from position to position")


@pytest.mark.points(0.5, checks=["including $n = 1$ and $d = 2$"])
def test_one_hand(answer, solution):
    for n in (4, 9):
        _agrees(answer, solution, n, 2)


@pytest.mark.points(0.5, checks=["The first turns by 1 radian (about 57°) at every step"])
def test_the_fastest_hand_comes_first(answer):
    right = np.stack([np.sin(np.arange(7)), np.cos(np.arange(7))], axis=-1)
    reply = answer(7, 6).satisfies(lambda table: table.shape == (7, 6), "a row of 6 columns for each of 7 positions")
    reply.satisfies(
        lambda table: np.allclose(table[:, :2], right, atol=1e-4), "the fastest hand in the first two columns"
    )
