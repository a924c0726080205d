"""Hidden suite of sliding_window_mask."""

import pytest


def _agrees(answer, solution, *sizes):
    for n, window in sizes:
        answer(n, window).equals(solution(n, window))


@pytest.mark.points(1)
def test_example(answer, solution):
    _agrees(answer, solution, (5, 3), (4, 1), (4, 9))


@pytest.mark.points(1)
def test_other_sizes(answer, solution):
    _agrees(answer, solution, (7, 4), (12, 2), (9, 5), (6, 5), (40, 17), (290, 20))


@pytest.mark.points(1)
def test_smallest_and_largest_windows(answer, solution):
    # Of one word; as long as the text; and longer, far longer too.
    _agrees(answer, solution, (5, 1), (1, 1), (1, 3), (6, 6), (6, 7), (3, 100))


@pytest.mark.points(1)
def test_results_stay(answer, solution):
    first = answer(6, 3).equals(solution(6, 3))
    answer(6, 2).equals(solution(6, 2))
    first.still_equals(solution(6, 3))
    answer(4, 2).is_new_each_time(solution(4, 2))
