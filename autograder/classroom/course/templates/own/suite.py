"""Hidden suite of template_weights."""

import numpy as np
import pytest


@pytest.mark.points(1)
def test_example(answer):
    answer([1, 2, 3], 2.0).equals(np.array([0.1863, 0.3072, 0.5065]), rtol=1e-3)


@pytest.mark.points(1)
def test_other_temperatures(answer, solution, draw):
    scores = draw(5)
    for temperature in (0.25, 1.0, 4.0):
        answer(scores, temperature).equals(solution(scores, temperature))


@pytest.mark.points(1)
def test_large_scores(answer, solution):
    answer([2000.0, 1999.0, 3.0], 0.5).equals(solution([2000.0, 1999.0, 3.0], 0.5))
