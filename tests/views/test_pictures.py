"""Pictures of a wrong result, the expected one and their difference, in a terminal and on a page."""

import io
import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.judging.values.compare import Mismatch, require_equal
from autograder.views.card import render_picture
from autograder.views.picture import STEPS, VALUES, make_picture
from autograder.views.terminal import PrintablePicture
from autograder.worker.values import Described, Omitted, Tensor

MASK = np.tril(np.ones((4, 4), dtype=bool))
SCORES = np.array([[2.0, 0, 1, 3], [1, 2, 0, 1], [0, 3, 1, 2], [2, 1, 0, 1]])


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


WEIGHTS = softmax(np.where(MASK, SCORES / 2, -np.inf))


def make_mismatch(got, expected, axes=(), args=(), part="", value=None):
    """Return the mismatch that a suite would raise."""
    with pytest.raises(Mismatch) as error_info:
        require_equal(got, expected, part=part)
    error_info.value.call, error_info.value.axes = SimpleNamespace(args=args, value=value), axes
    return error_info.value


def make_raw(got, expected, args=()):
    """Return a mismatch of values that the comparison itself would call equal."""
    results = Mismatch("values", "differs", got, expected)
    results.call = SimpleNamespace(args=args, value=got)
    return results


def make_panels(picture):
    return {panel.title.partition(",")[0]: panel for panel in picture.make_panels()}


def render_in_terminal(picture, width=80, **options):
    console = Console(file=io.StringIO(), width=width, **options)
    console.print(PrintablePicture(picture))
    return console.file.getvalue()


# Drawn panels -----------------------------------------------------------------------------------------------------


def test_yours_and_target_share_a_scale_and_the_difference_has_its_own():
    results = make_panels(make_picture(make_mismatch(WEIGHTS.T.copy(), WEIGHTS, part="weights")))
    assert (results["yours"].low, results["yours"].high) == (results["target"].low, results["target"].high) == (0, 1)
    assert results["difference"].low == -results["difference"].high
    assert np.allclose(results["difference"].values, WEIGHTS.T - WEIGHTS)


def test_an_unmasked_matrix_is_coloured_where_the_target_is_empty():
    results = make_panels(make_picture(make_mismatch(softmax(SCORES / 2), WEIGHTS)))
    assert (results["target"].find_colour_levels(STEPS)[~MASK] == 0).all()
    assert (results["yours"].find_colour_levels(STEPS)[~MASK] > 0).sum() >= 5  # Six cells are masked.
    assert (results["difference"].find_colour_levels(STEPS)[~MASK] > STEPS // 2).all()


def test_cells_that_differ_are_marked_and_no_others():
    got = WEIGHTS.copy()
    got[2, 1] += 1e-3
    picture = make_picture(make_mismatch(got, WEIGHTS))
    assert np.argwhere(picture.different).tolist() == [[2, 1]]
    assert picture.summary == "1 of 16 numbers differs."
    difference = make_panels(picture)["difference"]
    assert difference.format_numbers()[2][1] == "+0.001" and difference.format_numbers()[0] == ["0"] * 4
    assert difference.find_colour_levels(STEPS)[2, 1] != STEPS // 2


def test_different_numbers_are_formatted_differently():
    expected = np.array([0.1192029, 0.5])
    yours, target, _ = make_picture(Mismatch("values", "differs", np.array([0.1192, 0.5]), expected)).make_panels()
    assert yours.format_numbers() == [["0.1192", "0.5"]] and yours.marks.tolist() == [[True, False]]
    assert target.format_numbers()[0][0] == "0.119203"


def test_booleans_have_no_difference_that_numbers_tell():
    make_panels = [*make_picture(Mismatch("values", "differs", np.eye(2) > 0, np.ones((2, 2)) > 0)).make_panels()]
    assert [panel.title for panel in make_panels] == ["yours", "target"]
    assert make_panels[0].marks.any()


def test_nan_and_infinity_are_shown():
    got = np.array([np.nan, np.inf, -np.inf, 1.0])
    results = make_panels(make_picture(make_raw(got, np.array([1.0, 1.0, 1.0, 1.0]))))
    assert results["yours"].format_numbers() == [["nan", "inf", "-inf", "1"]]
    assert results["yours"].find_colour_levels(9).tolist() == [[-1, -1, -1, 0]]
    assert results["difference"].format_numbers() == [["nan", "inf", "-inf", "0"]]


def test_different_shapes_are_drawn_without_a_difference():
    picture = make_picture(make_mismatch(np.ones((2, 3)), np.ones((3, 2))))
    assert [panel.title for panel in picture.make_panels()] == ["yours, shape (2, 3)", "target, shape (3, 2)"]
    assert picture.summary == "The shapes differ: yours (2, 3), target (3, 2)."


def test_a_wrong_shape_may_be_of_any_size():
    for got in (np.zeros(50_000_000, np.int8), np.zeros((3_000, 1_000, 10), bool)):
        picture = make_picture(make_mismatch(got, np.ones((3, 2)) > 0))
        assert picture.shapes[0] == str(got.shape) and max(picture.yours.shape) <= 64
        assert len(picture.rows) <= 64 and len(picture.columns) <= 64


def test_a_vector_is_a_row():
    picture = make_picture(make_mismatch([0.5, 0.5], np.array([0.25, 0.75])))
    assert picture.yours.shape == (1, 2) and picture.row_axis == ""


def test_the_first_differing_slice_is_drawn_and_named():
    expected = np.stack([[WEIGHTS, WEIGHTS], [WEIGHTS, WEIGHTS]])
    got = expected.copy()
    got[1, 0] = WEIGHTS.T
    picture = make_picture(make_mismatch(Tensor(got), Tensor(expected)))
    assert (picture.yours == WEIGHTS.T).all() and (picture.target == WEIGHTS).all()
    assert picture.notes == ("Slice [1, 0] of shape (2, 2, 4, 4), the first that differs.",)


@pytest.mark.parametrize(
    ("shows", "part", "axes"),
    [(("word", "feature"), "", ("word", "feature")), ((), "weights", ("query", "key")), ((), "", ("row", "column"))],
)
def test_axes_have_their_names(shows, part, axes):
    picture = make_picture(make_mismatch(WEIGHTS.T.copy(), WEIGHTS, shows, part=part))
    assert (picture.row_axis, picture.column_axis) == axes
    assert picture.format_labels() == [[f"{axis} {number}" for number in range(4)] for axis in axes]


def test_tokens_label_the_axes():
    args = (["I", "eat", "a\x1b[2J", "steak"], ["we", "drink", "a", "supercalifragilistic"], WEIGHTS)
    rows, columns = make_picture(make_mismatch(WEIGHTS.T.copy(), WEIGHTS, args=args)).format_labels()
    assert rows == ["I", "eat", "a\N{REPLACEMENT CHARACTER}[2J", "steak"]
    assert columns == ["we", "drink", "a", "supercalifrag…"]


def test_words_of_a_sentence_are_tokens():
    picture = make_picture(make_mismatch(np.ones((3, 2)), np.zeros((3, 2)), args=("one is one", {})))
    assert picture.rows == ("one", "is", "one")


def test_the_drawn_values_are_compared_with_the_argument():
    shown = Described("axes", {"drawn": {"values": np.array([[0.0, 1.0], [1.0, 0.0]])}})
    results = Mismatch("property", "does not show the numbers")
    results.call = SimpleNamespace(name="plot_attention", args=(["a", "b"], ["c", "d"], [[1, 0], [0, 1]]), value=shown)
    picture = make_picture(results)
    assert picture.format_labels() == [["a", "b"], ["c", "d"]] and picture.different.all()


@pytest.mark.parametrize("drawn", [None, "nothing", {}, {"values": "text"}, {"values": None}])
def test_a_forged_picture_is_ignored(drawn):
    results = Mismatch("property", "does not show the numbers")
    forged = Described("axes", {"drawn": drawn})
    results.call = SimpleNamespace(name="plot_attention", args=([[1, 0], [0, 1]],), value=forged)
    assert make_picture(results) is None


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (None, WEIGHTS),
        ("text", WEIGHTS),
        ([[1, 2], [3]], WEIGHTS),
        ((WEIGHTS, WEIGHTS), WEIGHTS),
        (WEIGHTS, (WEIGHTS, WEIGHTS)),
        (1.0, np.float64(2)),
        (np.zeros((0, 3)), np.zeros((3, 0))),
        (Omitted((10**9,), "f8"), WEIGHTS),
        (WEIGHTS * 1j, WEIGHTS),
    ],
)
def test_only_matrices_have_pictures(got, expected):
    assert make_picture(make_raw(got, expected)) is None
    assert make_picture(None) is None


def test_a_large_matrix_is_cut_around_the_first_difference():
    expected = np.zeros((40, 60))
    got = expected.copy()
    got[30, 50] = 1
    picture = make_picture(make_mismatch(got, expected)).crop(8, 8)
    assert picture.rows == tuple(map(str, range(26, 34))) and picture.columns == tuple(map(str, range(46, 54)))
    assert picture.notes == ("Shown: rows 26 to 33 of 40, columns 46 to 53 of 60.",)
    assert picture.different.sum() == 1


# In a terminal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [30, 40, 80, 120])
def test_no_terminal_is_too_narrow(width):
    rows = np.arange(144.0).reshape(12, 12)
    for got in (rows.T.copy(), rows[:, :7]):
        lines = render_in_terminal(make_picture(make_mismatch(got, rows)), width).splitlines()
        assert max(map(cell_len, lines)) <= width
        assert any("yours" in line for line in lines) and any("target" in line for line in lines)


def test_without_colour_a_star_marks_different_cells():
    got = WEIGHTS.copy()
    got[1, 1] = 0.25
    text = render_in_terminal(make_picture(make_mismatch(got, WEIGHTS)), color_system=None)
    assert "\x1b" not in text and text.count("*") == 1 and "0.25*" in text


def test_colours_are_those_of_the_scale():
    text = render_in_terminal(
        make_picture(make_mismatch([0.0, 1.0], np.array([0.0, 0.5]))), force_terminal=True, color_system="truecolor"
    )
    red, green, blue = (int(VALUES[-1][at : at + 2], 16) for at in (1, 3, 5))
    assert f"48;2;{red};{green};{blue}" in text


def test_the_difference_is_shown_if_there_is_room():
    picture = make_picture(make_mismatch(WEIGHTS.T.copy(), WEIGHTS))
    assert "difference" in render_in_terminal(picture, 120)
    assert "difference" not in render_in_terminal(picture, 60)


# On a page --------------------------------------------------------------------------------------------------------


def test_tables_say_everything_in_words():
    page = render_picture(make_picture(make_mismatch(WEIGHTS.T.copy(), WEIGHTS, part="weights")))
    assert re.findall("<caption>(.*?)</caption>", page) == ["yours", "target", "difference (yours − target)"]
    assert page.count("<th scope=row>query 2") == page.count("<th scope=col>key 3") == 3
    assert "numbers differ." in page


def test_tokens_are_escaped():
    args = (["<script>alert(1)</script>", "<b>", "&", '"'],)
    page = render_picture(make_picture(make_mismatch(WEIGHTS.T.copy(), WEIGHTS, args=args)))
    assert "&lt;script&gt;" in page and "<script" not in page and "<b>&" not in page


def test_extreme_numbers_and_tokens_can_be_rendered():
    huge = np.array([[1e308, -1e308], [np.nan, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = render_picture(make_picture(make_raw(huge, -huge, args=(["$x$", "</table>"], ["日本", "\x1b[31m"]))))
    assert "<td class=o>nan" in page and page.count("</table>") == 3 and "\x1b" not in page
