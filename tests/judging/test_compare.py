"""Comparison of results: generous in form, strict in values, and only the first difference is reported.

Values are in the form in which the wire delivers them; tests/worker/test_wire.py tests the wire itself.
"""

import numpy as np
import pytest

from autograder.judging.values.compare import Mismatch, as_array, compute_share, parts, require_equal
from autograder.judging.values.show import format_call_in_short, format_value
from autograder.worker.values import ObjectArray, Omitted, Opaque, Tensor

NAN, INF = float("nan"), float("inf")
VECTOR, TABLE = np.array([1.0, 2.0, 3.0]), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
YES_NO = np.array([True, False])
PAIR = parts(context=VECTOR, weights=YES_NO)
WORDS = {"the": VECTOR, "cat": 2.0}


def matrix(rows):
    return np.asarray(rows).view(np.matrix)


# Results that are accepted: (id, got, expected)
GOOD = [
    ("a float", 2.0, 2.0),
    ("an integer for a float", 2, 2.0),
    ("a float for an integer", 2.0, 2),
    ("a NumPy scalar", np.float32(2), 2.0),
    ("one element for a number", np.array([[2.0]]), 2.0),
    ("a list", [1.0, 2.0, 3.0], VECTOR),
    ("a tuple", (1, 2, 3), VECTOR),
    ("a nested list", [[1, 2, 3], (4, 5, 6)], TABLE),
    ("a list of arrays", list(TABLE), TABLE),
    ("float32", VECTOR.astype(np.float32), VECTOR),
    ("integers", VECTOR.astype(np.int8), VECTOR),
    ("a matrix", matrix(TABLE), TABLE),
    ("a matrix of one row for a vector", matrix([VECTOR]), VECTOR),
    ("booleans", [True, False], YES_NO),
    ("one boolean", np.bool_(True), True),
    ("booleans as objects", ObjectArray((2,), [True, np.bool_(False)]), YES_NO),
    ("an empty array", np.zeros((0, 3)), np.zeros((0, 3))),
    ("an empty list", [], np.zeros(0)),
    ("infinity where it belongs", [1.0, INF, -INF], np.array([1.0, INF, -INF])),
    ("NaN where it belongs", [1.0, NAN], np.array([1.0, NAN])),
    ("None", None, None),
    ("text", "one is one", "one is one"),
    ("a list of text", ["one", "is"], ["one", "is"]),
    ("a list with None in it", [["one"], None], [["one"], None]),
    ("an array for a list", np.array([1, 2]), [1, 2]),
    ("a pair", (VECTOR, YES_NO), PAIR),
    ("a list for a pair", [[1, 2, 3], [True, False]], PAIR),
    ("a dictionary in another order", {"cat": np.float32(2), "the": [1, 2, 3]}, WORDS),
]

# Results that are refused: (id, got, expected, first rung that differs, sentence)
BAD = [
    ("nothing", None, VECTOR, "returned", "returned None: perhaps a `return` is missing"),
    ("nothing in a pair", (VECTOR, None), PAIR, "returned", "returned None for weights"),
    ("nothing for text", None, "a", "returned", "returned None: perhaps a `return` is missing"),
    ("something for None", 1, None, "type", "returned 1, expected None"),
    ("text for a number", "2.0", 2.0, "type", "returned '2.0', expected numbers"),
    ("text for numbers", ["1", "2", "3"], VECTOR, "type", "returned ['1', '2', '3'], expected numbers"),
    ("None among numbers", [1.0, None, 3.0], VECTOR, "type", "returned [1, None, 3], expected numbers"),
    ("a module", Opaque("Linear", "Linear()"), VECTOR, "type", "returned a Linear object: Linear(), expected numbers"),
    ("numbers for text", 1.5, "a", "type", "returned 1.5, expected 'a'"),
    ("a list of one for a number", [2.0], 2.0, "type", "returned a list with one number in it, expected one number"),
    ("text for a list", "ab", ["a", "b"], "type", "returned 'ab', expected ['a', 'b']"),
    ("no value for one number", [], 1.0, "type", "returned 0 values, expected one number"),
    ("one for a pair", VECTOR, PAIR, "type", "returned one array of shape (3,), expected 2 results"),
    ("three for a pair", (VECTOR, YES_NO, 1), PAIR, "type", "returned 3 results, expected 2"),
    ("a list for a dictionary", [1, 2], WORDS, "type", "returned 2 values, expected a dictionary"),
    ("other sizes", [1.0, 2.0], VECTOR, "shape", "returned shape (2,), expected shape (3,)"),
    ("a column", VECTOR[:, None], VECTOR, "shape", "returned shape (3, 1), expected shape (3,)"),
    ("a number for a vector", 1.0, VECTOR, "shape", "returned one number, expected shape (3,)"),
    ("a vector for a number", VECTOR, 1.0, "shape", "returned shape (3,), expected one number"),
    ("ragged rows", [[1.0], [1.0, 2.0]], TABLE, "shape", "returned rows of different lengths"),
    (
        "too much",
        Omitted((9000, 9000), "float64"),
        VECTOR,
        "shape",
        "returned an array of shape (9000, 9000), expected shape (3,)",
    ),
    ("a part too much", (TABLE, YES_NO), PAIR, "shape", "returned shape (2, 3) for context, expected shape (3,)"),
    ("ones for booleans", [1.0, 0.0], YES_NO, "dtype", "returned float64 values, expected booleans (True and False)"),
    ("booleans for numbers", [True, False, True], VECTOR, "dtype", "returned booleans, expected numbers"),
    ("complex numbers", VECTOR + 0j, VECTOR, "dtype", "returned complex numbers, expected real ones"),
    (
        "numbers as objects",
        ObjectArray((3,), [1.0, 2.0, 3.0]),
        VECTOR,
        "dtype",
        "returned an array of Python objects (dtype=object) of shape (3,), expected an array of numbers",
    ),
    ("NaN", [1.0, NAN, INF], VECTOR, "finite", "returned nan, expected finite numbers"),
    ("another number", 2.5, 2.0, "values", "returned 2.5, expected 2"),
    ("the first of two", [1, 5, 7], VECTOR, "values", "returned 5 at [1], expected 2"),
    ("in a table", [[1, 2, 3], [4, 5, 7]], TABLE, "values", "returned 7 at [1, 2], expected 6"),
    ("in the last digits", 2.0001, 2.0, "values", "returned 2.0001, expected 2"),
    ("a boolean", [True, True], YES_NO, "values", "returned True at [1], expected False"),
    ("in a pair", (VECTOR, ~YES_NO), PAIR, "values", "returned False at [0] for weights, expected True"),
    ("finite for infinity", [1.0], np.array([INF]), "values", "returned 1 at [0], expected inf"),
    ("in an unnamed pair", (1, 3), (1, 2), "values", "returned 3 for result 2, expected 2"),
    ("other text", "a", "b", "values", "returned 'a', expected 'b'"),
    ("a word missing", {"the": VECTOR}, WORDS, "values", "returned a dictionary without the key 'cat'"),
    ("a word too much", WORDS | {"a": 1}, WORDS, "values", "returned a dictionary with the extra key 'a'"),
    ("a word wrong", WORDS | {"cat": 3}, WORDS, "values", "returned 3 for 'cat', expected 2"),
    # Only the first difference is reported.
    ("shape before dtype", [True], VECTOR, "shape", "returned shape (1,), expected shape (3,)"),
    ("dtype before values", [False, True, True], VECTOR, "dtype", "returned booleans, expected numbers"),
    (
        "the first part before the second",
        (7 * VECTOR, None),
        PAIR,
        "values",
        "returned 7 at [0] for context, expected 1",
    ),
]


def named(cases):
    return [pytest.param(*rest, id=name.replace(" ", "-")) for name, *rest in cases]


@pytest.mark.parametrize(("got", "expected"), named(GOOD))
def test_equal_results_pass(got, expected):
    require_equal(got, expected)


@pytest.mark.parametrize(("got", "expected", "rung", "sentence"), named(BAD))
def test_the_first_difference_is_reported(got, expected, rung, sentence):
    with pytest.raises(Mismatch) as error_info:
        require_equal(got, expected)
    assert error_info.value.kind == rung
    assert error_info.value.sentence == str(error_info.value) == sentence


# The tolerance is a fraction of the number itself, plus a tenth of that fraction of the largest number.
@pytest.mark.parametrize(
    ("got", "expected", "tolerance", "good"),
    [
        (1 + 1.09e-5, 1.0, {}, True),
        (1 + 1.11e-5, 1.0, {}, False),
        (-1e6 - 10.9, -1e6, {}, True),
        (-1e6 - 11.1, -1e6, {}, False),
        ([1000, 9.9e-4], [1000, 0], {}, True),  # float32 has such errors next to 1000.
        ([1000, 1.01e-3], [1000, 0], {}, False),
        ([1e-8, 1.09e-9], [1e-8, 1e-9], {}, False),  # Small numbers alone are compared as strictly as large ones.
        (Tensor(np.float32([9e-7])), [0.0], {}, True),  # A sum of float32 that is nearly 0 has the errors of its terms.
        (Tensor(np.float32([1.1e-6])), [0.0], {}, False),
        (np.float32([1e-7]), [0.0], {}, False),  # Arrays of NumPy hold numbers from a file, which are exact.
        ([0.0, 9e-13], [0.0, 0.0], {}, True),
        ([0.0, 1.1e-12], [0.0, 0.0], {}, False),
        ([INF, 1.0 + 2e-5], [INF, 1.0], {}, False),  # An infinite number does not widen the tolerance.
        (1 + 1.09e-3, 1.0, {"rtol": 1e-3}, True),
        (1 + 1.11e-3, 1.0, {"rtol": 1e-3}, False),
        (1 + 1.11e-9, 1.0, {"rtol": 1e-9}, False),
        (True, 1.0, {"rtol": 1.0}, False),  # A boolean never equals a number, whatever the tolerance.
    ],
)
def test_the_tolerance_has_exact_edges(got, expected, tolerance, good):
    expected = Tensor(np.array(expected)) if isinstance(got, Tensor) else np.array(expected)
    if good:
        require_equal(got, expected, **tolerance)
    else:
        with pytest.raises(Mismatch):
            require_equal(got, expected, **tolerance)


def test_a_tolerance_holds_for_every_part():
    require_equal((1.009, {"the": [1.009]}), parts(one=1.0, all={"the": np.array([1.0])}), rtol=1e-2)
    with pytest.raises(Mismatch, match=r"^returned 1\.009 for one, expected 1$"):
        require_equal((1.009, {"the": [1.009]}), parts(one=1.0, all={"the": np.array([1.0])}))


@pytest.mark.parametrize(("shape", "is_said"), [((3,), False), ((2, 3), True), ((2, 2, 3), True), ((9, 9), True)])
def test_a_non_contiguous_tensor_is_described(shape, is_said):
    value = Tensor(np.ones(shape), apart=True)
    for text in (format_value(value), format_call_in_short("f", [value], {})):
        assert ("(not contiguous in memory, as after a transpose)" in text) is is_said


@pytest.mark.parametrize("expected", [object(), {1, 2}])
def test_an_expected_value_that_cannot_be_compared_is_an_error_of_the_suite(expected):
    with pytest.raises(TypeError, match="which cannot be compared"):
        require_equal(1.0, expected)


def test_as_array_takes_any_numbers():
    assert as_array([[1, 2], [3, 4.5]]).tolist() == [[1.0, 2.0], [3.0, 4.5]]
    assert as_array(2.5).shape == ()
    assert as_array(YES_NO) is YES_NO
    with pytest.raises(Mismatch, match=r"^returned an array of shape \(9, 9\)$"):
        as_array(Omitted((9, 9), "float64"))


# Share of a wrong result that is right: (id, got, expected, share)
SHARES = [
    ("one of two results", (VECTOR, ~YES_NO), PAIR, 1 / 2),
    ("two results in another order", (YES_NO, VECTOR), PAIR, 2 / 3),
    ("one of two under their keys", {"the": VECTOR, "cat": 3.0}, WORDS, 1 / 2),
    ("both, and one too many", WORDS | {"dog": 1.0}, WORDS, 2 / 3),
    ("an axis too many", VECTOR[None], VECTOR, 1 / 2),
    ("a comma too many", (2.0,), 2.0, 1 / 2),
    ("a list for a tensor", [1.0, 2.0, 3.0], Tensor(VECTOR), 1 / 2),
    ("numbers for booleans", np.array([1, 0]), YES_NO, 1 / 2),
    ("two results in one", np.array([1.0, 2.0, 3.0, 1.0, 0.0]), PAIR, 1 / 2),
    ("one of two results alone", VECTOR, PAIR, 1 / 2),
    ("another result alone", VECTOR + 1, PAIR, 0),
    ("rows for columns", TABLE.T, TABLE, 1 / 2),
    ("booleans with rows for columns", TABLE.T > 2, TABLE > 2, 0),
    ("one wrong number", VECTOR + np.eye(3)[2], VECTOR, 0),
    ("nothing", None, VECTOR, 0),
    ("no dictionary", VECTOR, WORDS, 0),
    ("text", "2", 2.0, 0),
    ("complex numbers", VECTOR + 0j, VECTOR, 0),
]


@pytest.mark.parametrize(("got", "expected", "share"), [case[1:] for case in SHARES], ids=[case[0] for case in SHARES])
def test_correct_parts_of_a_wrong_result_have_their_share(got, expected, share):
    assert compute_share(got, expected) == pytest.approx(share)
