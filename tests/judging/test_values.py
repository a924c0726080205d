"""Traversal and comparison of nested values."""

import numpy as np
import pytest

from autograder.judging.values.same import (
    are_equal,
    find_arrays,
    iter_leaves,
    map_scalars,
    split_results,
    to_array,
)
from autograder.worker.values import Opaque, Tensor

NUMBERS = np.array([1.5, 2.5])


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ([1.5, 2.5], NUMBERS, True),
        ((1.5, 2.5), [1.5, 2.5], True),
        ([np.ones(2), np.zeros(2)], (np.ones(2), np.zeros(2)), True),
        (Tensor(NUMBERS, requires_grad=True), Tensor(NUMBERS), True),
        (Tensor(NUMBERS.astype(np.float32)), Tensor(NUMBERS), True),
        (Tensor(NUMBERS), NUMBERS, False),
        (NUMBERS, NUMBERS[None], False),
        (NUMBERS > 2, (NUMBERS > 2).astype(int), False),
        (NUMBERS, NUMBERS + 0j, False),
        ({"a": [1, 2], "b": "x"}, {"b": "x", "a": np.array([1, 2])}, True),
        ({"a": 1}, {"b": 1}, False),
        ({0: 1}, [1], False),
        (["a", 1], ["a", 1.0], True),
        (["a"], ["a", "b"], False),
        ([], (), True),
        ([], {}, False),
        (None, None, True),
        (None, 0, False),
        (Opaque("Cache", "one"), Opaque("Other", "two"), True),
        ((Tensor(NUMBERS), Tensor(NUMBERS)), (Tensor(NUMBERS), Tensor(NUMBERS * 1.1)), False),
        (np.array([np.nan, 1]), [np.nan, 1], True),
    ],
)
def test_values_are_the_same(one, other, is_same):
    assert are_equal(one, other) is is_same is are_equal(other, one)


def test_a_tolerance_counts_for_every_part():
    assert are_equal([NUMBERS, {"a": 1.0}], [NUMBERS * (1 + 5e-5), {"a": 1.00005}])
    assert not are_equal([NUMBERS, {"a": 1.0}], [NUMBERS, {"a": 1.00005}], rtol=1e-5)


def test_the_parts_of_a_value_are_listed():
    value = {"a": [1, 2], "b": ("x", Tensor(NUMBERS)), "c": None}
    assert [array.tolist() for array in find_arrays(value)] == [[1, 2], [1.5, 2.5]]
    assert [leaf for leaf in iter_leaves(value) if not isinstance(leaf, np.ndarray)] == ["x", None]


def test_the_numbers_of_a_value_are_listed():
    assert to_array([[1, 2], [3, 4]]).shape == (2, 2)
    for value in ("1", [1, "2"], [[1], [1, 2]], None, {}, Opaque("set")):
        assert to_array(value) is None
    assert to_array(1j) is not None and to_array(1j, "biuf") is None


def test_several_results_are_not_an_array():
    assert len(split_results((np.ones(2), np.zeros(2)))) == 2
    assert split_results([1.0, 2.0]) is None and split_results(NUMBERS) is None and len(split_results(["a"])) == 1


def test_scalars_are_replaced_in_a_value_of_the_same_form():
    value = {"a": [1, (2.0, "x")], "b": Tensor(NUMBERS)}
    double = map_scalars(value, lambda part: 2 * part if isinstance(part, float) else part)
    assert double == {"a": [1, (4.0, "x")], "b": value["b"]}
