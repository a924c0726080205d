"""Hidden suite of plot_attention. It gets a description of the Axes (`autograder.worker.describe`), not a picture."""

import collections
import itertools

import numpy as np
import pytest

from autograder.suite import EXAMPLES, SIZES, NewAxes

QUERIES, KEYS = ["one", "is", "one"], ["1", "la"]
WEIGHTS = [[0.9, 0.1], [0.2, 0.8], [0.75, 0.25]]
NEAR = 0.1  # share of a row or column by which a label may be off its centre
OTHER_PLACES = "does not put every token at its own row or column"


def _weights(draw, n_q, n_k):
    weights = np.exp(draw(n_q, n_k))
    return weights / weights.sum(axis=-1, keepdims=True)


def _orders(picture):
    """Yield the drawn values and labels in both directions of rows and columns, because either direction is correct."""
    drawn = picture["drawn"]
    for down, across in itertools.product((1, -1), repeat=2 if drawn is not None else 0):
        ticks = picture["y_ticks"][::down], picture["x_ticks"][::across]
        yield drawn["values"][::down, ::across], *([text.strip() for _, text in side] for side in ticks)


def _shows_numbers(matrix):
    matrix = np.asarray(matrix)

    def holds(picture):
        return any(_same_numbers(values, matrix) for values, _, _ in _orders(picture))

    return holds


def _size(values):
    return "{} by {} squares".format(*values.shape)


def _same_numbers(values, matrix):
    return values.shape == matrix.shape and np.allclose(values, matrix, rtol=1e-5, atol=1e-7)


def _other_numbers(matrix):
    """Return a function that says how drawn numbers differ from `matrix`, with queries in rows and keys in columns."""
    matrix = np.asarray(matrix)

    def tell(picture):
        if picture["overlaps"]:
            return "draws rows or columns on top of each other, for example because equal tokens share a position"
        if picture["drawn"] is None:
            return "draws no matrix"
        values = picture["drawn"]["values"]
        if _same_numbers(values.T, matrix):
            return "draws the matrix transposed: each row should be a query, and each column a key"
        if values.shape != matrix.shape:
            return f"draws {_size(values)}, expected {_size(matrix)}: a row for each query and a column for each key"
        for digits in range(1, 5):
            if np.array_equal(values, np.round(matrix, digits)):
                return f"draws numbers that are rounded to {digits} decimal{'s' * (digits > 1)}"
        row, column = np.argwhere(~np.isclose(values, matrix, rtol=1e-5, atol=1e-7))[0]
        results, expected = values[row, column], matrix[row, column]
        return f"draws {results:.4g} in row {row} and column {column}, counted from 0, expected {expected:.4g}"

    return tell


def _other_labels(axis, tokens, others):
    """Return a function that describes a token without a label on an axis, or a label that is not a token."""

    def tell(picture):
        if all(_has_labels(*side)(picture) for side in ((axis, others), ({"x": "y", "y": "x"}[axis], tokens))):
            return "has the tokens of the queries on the x axis and those of the keys on the y axis"
        labels = collections.Counter(text.strip() for _, text in picture[f"{axis}_ticks"])
        expected = collections.Counter(tokens)
        for words, left in (("is missing", expected - labels), ("appears too often", labels - expected)):
            for label in left:
                return f"should label every token once on the {axis} axis, and {label[:40]!r} {words}"
        return f"should label every token once on the {axis} axis"

    return tell


def _places_tokens(queries, keys, matrix):
    """Return a function that says whether each row and column of a picture is labelled with its token."""
    matrix = np.asarray(matrix)

    def holds(picture):
        return any(
            _same_numbers(values, matrix) and rows == queries and columns == keys
            for values, rows, columns in _orders(picture)
        )

    return holds


def _has_labels(axis, tokens):
    return lambda picture: sorted(text.strip() for _, text in picture[f"{axis}_ticks"]) == sorted(tokens)


def _has_ticks_at_centres(axis):
    def holds(picture):
        if picture["drawn"] is None:
            return False
        ticks, centres = np.array([at for at, _ in picture[f"{axis}_ticks"]]), picture["drawn"][axis]
        size = 1.0 if len(centres) < 2 else np.diff(centres).min()
        return len(ticks) == len(centres) and bool((np.abs(ticks - centres) < NEAR * size).all())

    return holds


def _beside_centres(axis, name):
    """Return a function that describes a row or column without a label, or the first label off its centre."""

    def tell(picture):
        ticks, centres = np.array([at for at, _ in picture[f"{axis}_ticks"]]), picture["drawn"][axis]
        beside = f"has {name} labels that are not at the centres of the {name}s"
        if len(ticks) != len(centres) or len(centres) < 2:
            return beside
        size = np.diff(centres).min()
        is_at = np.abs(ticks[:, None] - centres) < NEAR * size
        if is_at.any(axis=1).all():
            return f"has no label at the centre of {name} {is_at.any(axis=0).argmin()}, counted from 0"
        first = is_at.any(axis=1).argmin()
        offset = (ticks[first] - centres[first]) / size
        sides = ("high", "low") if axis == "y" else ("far left", "far right")
        return f"{beside}: the first of them is {abs(offset):.2g} {name}s too {sides[int(offset > 0)]}"

    return tell


def _shows_whole(axis):
    """Return a function that says whether the first and last row, or column, are visible and not cut by the edge."""

    def holds(picture):
        centres = picture["drawn"][axis]
        size = np.diff(centres).min() if len(centres) > 1 else 0.0
        return min(centres[0], 1 - centres[-1]) > 0.4 * size

    return holds


def _names_sides(matrix):
    """Return a function that says whether the axis labels fit the rows and columns, which may be transposed."""

    def holds(picture):
        x, y = picture["x_label"].lower(), picture["y_label"].lower()
        are_exchanged = "quer" in x and "key" not in x and "key" in y and "quer" not in y
        return not are_exchanged or _shows_numbers(matrix.T)(picture)

    return holds


def _draws_anything(picture):
    return picture["drawn"] is not None or picture["overlaps"]


def _check(reply, queries, keys, matrix):
    reply.shows(lambda picture: picture["kept"], "returned Axes that are no longer in their figure")
    reply.shows(_shows_numbers(matrix), _other_numbers(matrix))
    reply.shows(_has_labels("y", queries), _other_labels("y", queries, keys))
    reply.shows(_has_labels("x", keys), _other_labels("x", keys, queries))
    reply.shows(_has_ticks_at_centres("y"), _beside_centres("y", "row"))
    reply.shows(_has_ticks_at_centres("x"), _beside_centres("x", "column"))
    reply.shows(_places_tokens(queries, keys, matrix), OTHER_PLACES)
    reply.shows(_shows_whole("y"), "cuts off part of the first row or of the last")
    reply.shows(_shows_whole("x"), "cuts off part of the first column or of the last")


def _returns_axes(reply):
    return reply.shows(lambda picture: not picture["is_figure"], "returned the figure, expected the Axes in it")


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer):
    reply = _returns_axes(answer(QUERIES, KEYS, WEIGHTS, NewAxes()).leaves_arguments_alone())
    reply.shows(lambda picture: picture["given"], "returned other Axes than those that were given")
    _check(reply, QUERIES, KEYS, WEIGHTS)


@pytest.mark.points(1.5, checks=["you return the Matplotlib Axes that you draw on"])
def test_axes_come_back(answer, draw):
    for axes in ((), (NewAxes(),)):
        _returns_axes(answer(QUERIES, KEYS, _weights(draw, 3, 2), *axes))


@pytest.mark.points(1, checks=["The drawn numbers are those of the matrix, row i for query i."])
def test_numbers(answer, draw):
    matrix = _weights(draw, 4, 4)
    reply = answer(["I", "eat", "my", "steak"], ["we", "drink", "your", "coke"], matrix).leaves_arguments_alone()
    reply.shows(_shows_numbers(matrix), _other_numbers(matrix))


@pytest.mark.points(0.5, checks=["Do not close or clear any figure."])
def test_figures_are_left_alone(answer, draw):
    for axes in ((), (NewAxes(),), ()):
        reply = answer(QUERIES, KEYS, _weights(draw, 3, 2), *axes)
        reply.shows(lambda picture: not picture["figures"], _done_to_figures)
        # Figures are closed between calls, so only an answer that keeps its Axes can return old ones.
        reply.shows(lambda picture: not picture["old"], "returned the Axes of an earlier call, with the old plot in it")


def _done_to_figures(picture):
    return f"{picture['figures']} a figure: just draw, and leave the figure to the caller, who may want to add to it"


@pytest.mark.points(1.5, checks=["has one tick with its label, at the centre of its row or column"])
def test_one_label_a_token(answer, draw):
    queries, keys = ["to", "be", "or", "not", "to", "be"], ["the", "cat", "the", "The"]
    matrix = _weights(draw, 6, 4)
    _check(answer(queries, keys, matrix), queries, keys, matrix)


@pytest.mark.points(1, checks=[SIZES])
def test_one_row_or_column(answer, draw):
    queries, keys, matrix = ["step"], ["with", "one", "step"], _weights(draw, 1, 3)
    _check(answer(queries, keys, matrix), queries, keys, matrix)
    _check(answer(keys, queries, matrix.T), keys, queries, matrix.T)


# In the next three tests, another figure is current, which receives everything drawn with pyplot.
@pytest.mark.points(1, checks=["There is a colour bar", "different weights have different colours"])
def test_colour_bar(answer, draw):
    reply = answer(QUERIES, KEYS, _weights(draw, 3, 2), NewAxes())
    reply.shows(lambda picture: picture["colour_bar"], "has no colour bar")
    reply.shows(lambda picture: not picture["one_colour"], "shows different numbers in one colour: see vmin and vmax")


@pytest.mark.points(1, checks=["a label on each axis and a title, in words of your choice"])
def test_title_and_axis_labels(answer, draw):
    matrix = _weights(draw, 3, 2)
    reply = answer(QUERIES, KEYS, matrix, NewAxes())
    for part, name in (("title", "title"), ("x_label", "label on the x axis"), ("y_label", "label on the y axis")):
        reply.shows(lambda picture, part=part: bool(picture[part].strip()), f"has no {name}")
    reply.shows(_names_sides(matrix), "calls the columns queries and the rows keys")


@pytest.mark.points(1, checks=["If `ax` is given, draw there"])
def test_axes_that_are_given(answer, draw):
    reply = _returns_axes(answer(QUERIES, KEYS, _weights(draw, 3, 2), NewAxes()))
    reply.shows(lambda picture: picture["given"], "returned other Axes than those that were given")
    reply.shows(_draws_anything, "draws nothing on the Axes that were given")


@pytest.mark.points(0.5, checks=["That includes repeated tokens, and there may be many"])
def test_many_tokens(answer, draw):
    # This test comes last, because it takes longest and a diagnosis rarely needs it.
    queries, keys = [f"query{i}" for i in range(28)], [f"key{i}" for i in range(45)]
    matrix = _weights(draw, 28, 45)
    _check(answer(queries, keys, matrix), queries, keys, matrix)
