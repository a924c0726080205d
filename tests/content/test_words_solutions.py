"""The solutions of the chapter embeddings agree with a slow reference, and a picture shows what it should."""

import copy
import io
import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.chapters.chapter import read_chapter
from support import slow_words
from support.grading import solution_module

MODULE = solution_module("embeddings")
SOLUTIONS = {exercise.name: getattr(MODULE, exercise.name) for exercise in read_chapter("embeddings").exercises}
STEADY = settings(max_examples=60, derandomize=True, deadline=None, database=None)

tokenize, sentence_embed = SOLUTIONS["tokenize"], SOLUTIONS["sentence_embed"]
load_glove_embeddings, get_glove_embeddings = SOLUTIONS["load_glove_embeddings"], SOLUTIONS["get_glove_embeddings"]
embed_sentence, plot_attention = SOLUTIONS["embed_sentence"], SOLUTIONS["plot_attention"]


def test_every_exercise_is_tested_here():
    here = {"tokenize", "sentence_embed", "load_glove_embeddings", "get_glove_embeddings", "embed_sentence"}
    assert set(SOLUTIONS) == here | {"plot_attention"}
    assert all(hasattr(slow_words, name) for name in here)


# tokenize -----------------------------------------------------------------------------------------------------


def test_every_sign_of_unicode_is_sorted_as_the_text_says():
    """The planes between hold ideographs and nothing else."""
    for first in (*range(0, 0x20000, 4096), 0xE0000):
        sentence = "".join(f"a{chr(code)}b " for code in range(first, first + 4096))
        assert tokenize(sentence) == slow_words.tokenize(sentence), hex(first)


@STEADY
@given(st.text("aB9_\u00e9\u4e16\u0301'-.\u00ab\u2019\u200b \t\n\u00a0\u2003\x1c\x85", max_size=12))
def test_any_text_is_split(sentence):
    assert tokenize(sentence) == slow_words.tokenize(sentence)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("", []),
        (" \t\n", []),
        ("?! -", []),
        ("The the THE", ["The", "the", "THE"]),
        ("don't, don\N{RIGHT SINGLE QUOTATION MARK}t", ["dont", "dont"]),
        ("snake_case _ 3.14", ["snake_case", "_", "314"]),
        ("well-known; and/or", ["wellknown", "andor"]),
        ("one\u00a0two\u2003three\x1cfour\r\nfive\x85six", ["one", "two", "three", "four", "five", "six"]),
        ("one\N{ZERO WIDTH SPACE}two", ["onetwo"]),
        ("caf\u00e9 cafe\u0301", ["caf\u00e9", "cafe"]),  # the second is written with a combining mark
        (
            "\u4f60\u597d\uff0c\u4e16\u754c\u3002 \u041f\u0440\u0438\u0432\u0435\u0442!",
            ["\u4f60\u597d\u4e16\u754c", "\u041f\u0440\u0438\u0432\u0435\u0442"],
        ),
        ("x\N{SUPERSCRIPT TWO} \N{ROMAN NUMERAL FOUR} \N{ARABIC-INDIC DIGIT THREE}", ["x\u00b2", "\u2163", "\u0663"]),
    ],
)
def test_words_as_the_text_names_them(sentence, words):
    assert tokenize(sentence) == words


# sentence_embed -----------------------------------------------------------------------------------------------

FORMS = [list, tuple, np.array, lambda vector: np.array(vector, np.float32), lambda vector: np.array(vector, int)]
GAPS = [" ", "  ", "\t", "\n", "\u00a0", " \u2003"]
WORDS = [
    "one",
    "One",
    "ONE",
    "is",
    "la",
    "1",
    "don't",
    "coke,",
    "\u00e9t\u00e9",
    "\u00c9t\u00e9",
    "\u0130",
    "i\u0307",
    "a.b",
    "_",
]


@st.composite
def tables(draw, words=WORDS):
    """A dictionary of vectors, and their width; each vector is a list, a tuple or an array."""
    width = draw(st.integers(1, 4))
    number = st.integers(-64, 64).map(lambda eighths: eighths / 8)
    vector = st.lists(number, min_size=width, max_size=width)
    chosen = draw(st.lists(st.sampled_from(words), min_size=1, unique=True))
    form = draw(st.sampled_from(FORMS))
    return {word: form(draw(vector)) for word in chosen}, width


def sentences(words, min_size=0):
    gap = st.sampled_from(GAPS)
    pairs = st.lists(st.tuples(st.sampled_from(words), gap), min_size=min_size, max_size=7)
    return st.builds(lambda start, pairs: start + "".join(map("".join, pairs)), st.just("") | gap, pairs)


@STEADY
@given(tables(), st.data())
def test_a_sentence_becomes_its_rows(table, data):
    table, width = table
    sentence = data.draw(sentences(sorted(table), min_size=1))
    before = copy.deepcopy(table)
    rows = sentence_embed(sentence, table)
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, np.array(slow_words.sentence_embed(sentence, table), float), strict=True)
    rows[:] = 99
    np.testing.assert_equal(table, before)
    assert rows.shape[1] == width


def test_whole_numbers_become_floats():
    rows = sentence_embed("b a b", {"a": [1, 0], "b": np.array([0, 1], dtype=np.int8)})
    np.testing.assert_array_equal(rows, np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), strict=True)


@STEADY
@given(tables(), sentences(WORDS, min_size=1))
def test_a_missing_word_is_named(table, sentence):
    missing = [word for word in sentence.split() if word not in table[0]]
    assume(missing)
    with pytest.raises(KeyError) as caught:
        sentence_embed(sentence, table[0])
    assert missing[0] in str(caught.value)


# load_glove_embeddings ----------------------------------------------------------------------------------------

# What `split()` or `strip()` would take for a gap, and what they would not.
ODD = "a.\u00e9\u4e16_'\"#0 \t\u00a0\u2003\u3000\u200b\x1c\x85\u2028"
NUMBERS = ["0", "1", "-0.25", "3.5e-3", "1E+2", "-0", ".5", "7.", "0.418", "123456.789", "1e-30"]


@st.composite
def glove_files(draw):
    """The lines of a file: words with spaces in them, but for the first, and numbers as people write them."""
    width = draw(st.integers(1, 4))
    first = draw(st.text(ODD.replace(" ", ""), min_size=1, max_size=4))
    others = draw(st.lists(st.text(ODD, min_size=1, max_size=6), max_size=5))
    numbers = st.lists(st.sampled_from(NUMBERS), min_size=width, max_size=width)
    return [" ".join([word, *draw(numbers)]) for word in dict.fromkeys([first, *others])]


@pytest.fixture(scope="module")
def write(tmp_path_factory):
    path = tmp_path_factory.mktemp("glove") / "w\u00f6rter 1.txt"

    def write(text):
        path.write_bytes(text.encode("utf-8"))
        return path

    return write


@STEADY
@given(lines=glove_files(), ended=st.booleans(), form=st.sampled_from([str, Path]))
def test_a_file_is_read(write, lines, ended, form):
    text = "\n".join(lines) + "\n"
    path = write(text if ended else text[:-1])
    embeddings = load_glove_embeddings(form(path))
    expected = slow_words.load_glove_embeddings(text.encode("utf-8"))
    assert list(embeddings) == list(expected)
    for word, vector in expected.items():
        assert embeddings[word].dtype == np.float32
        assert embeddings[word].shape == (len(vector),)
        np.testing.assert_allclose(embeddings[word], vector, rtol=1e-7)


@STEADY
@given(lines=glove_files(), harm=st.sampled_from(["short", "empty", "word", "two"]), data=st.data())
def test_a_wrong_line_is_named(write, lines, harm, data):
    """The message has the number of the line, whatever stands before and behind it."""
    at = data.draw(st.integers(0, len(lines) - 1))
    width = lines[0].count(" ")
    numbers = lines[at].split(" ")[-width:]
    if harm == "short":  # a field is missing, and the first line has one more than the others
        assume(at > 0)
        lines[at] = " ".join(["word", *numbers[1:]])
    elif harm == "empty":
        lines[at] = ""
    else:
        numbers[data.draw(st.integers(0, width - 1))] = {"word": "x", "two": "1,5"}[harm]
        lines[at] = " ".join(["word", *numbers])
    with pytest.raises(ValueError, match=rf"line {at + 1}\b"):
        load_glove_embeddings(write("\n".join(lines) + "\n"))


def test_only_the_last_fields_are_numbers(write):
    text = "the 0.5 1\n. . . 2 3\n1 2 3 4 5\n\u00a0 6 7\n  8 9\n"
    embeddings = load_glove_embeddings(write(text))
    assert {word: vector.tolist() for word, vector in embeddings.items()} == {
        "the": [0.5, 1], ". . .": [2, 3], "1 2 3": [4, 5], "\u00a0": [6, 7], " ": [8, 9]
    }  # fmt: skip


@pytest.mark.parametrize("line", ["the\n", "the 0.5 x\n", "\n", "the \n"])
def test_a_first_line_without_a_vector_is_named(write, line):
    with pytest.raises(ValueError, match=r"line 1\b"):
        load_glove_embeddings(write(line + "of 0.5 1\n"))


def test_an_empty_file_has_no_words(write):
    assert load_glove_embeddings(write("")) == {}


def test_the_encoding_is_utf_8_whatever_the_system_prefers(write, monkeypatch):
    def open_in_latin_1(file, mode="r", *args, **options):
        return io.open(file, mode, *args, **({"encoding": "latin-1"} | options))  # noqa: UP020  (`open` is replaced)

    monkeypatch.setattr("builtins.open", open_in_latin_1)
    assert list(load_glove_embeddings(write("\u00e9t\u00e9 1 2\n"))) == ["\u00e9t\u00e9"]


# get_glove_embeddings and embed_sentence ----------------------------------------------------------------------


@STEADY
@given(tables(), st.lists(st.sampled_from(WORDS), max_size=7))
def test_a_vocabulary_gets_its_rows(table, vocab):
    table, width = table
    before = copy.deepcopy(table)
    rows = get_glove_embeddings(vocab, table, width)
    assert rows.dtype == np.float32
    assert rows.shape == (len(vocab), width)
    expected = np.array(slow_words.get_glove_embeddings(vocab, table, width), dtype=np.float32)
    np.testing.assert_array_equal(rows, expected.reshape(rows.shape))
    rows[:] = 99
    np.testing.assert_equal(table, before)


def test_the_exact_word_comes_first_then_lower_case_and_no_other():
    table = {"apple": [1.0], "Apple": [2.0], "THE": [3.0]}
    rows = get_glove_embeddings(["apple", "Apple", "APPLE", "the", "The", "THE"], table, 1)
    assert rows.tolist() == [[1], [2], [1], [0], [0], [3]]
    vectors, words = embed_sentence("APPLE the apple: The Apple THE!", table)
    assert words == ["APPLE", "apple", "Apple", "THE"]
    assert vectors.tolist() == [[[1], [1], [2], [3]]]


MARKS = ["one,", "One!", "(is)", "?", "ten", "d'on't", "\u00e9t\u00e9.", "\u00c9T\u00c9", "\u0130", "...", "_", "ab"]
CLEAN = ["one", "One", "is", "dont", "\u00e9t\u00e9", "\u0130", "i\u0307", "_", "d", "one,"]


@STEADY
@given(tables(CLEAN), sentences(MARKS))
def test_rows_and_words_stay_together(table, sentence):
    table, width = table
    before = copy.deepcopy(table)
    vectors, words = embed_sentence(sentence, table)
    expected, expected_words = slow_words.embed_sentence(sentence, table)
    assert type(words) is list
    assert words == expected_words
    assert vectors.dtype == np.float64
    np.testing.assert_array_equal(vectors, np.array(expected, dtype=float).reshape(1, len(words), width), strict=True)
    vectors[:] = 99
    np.testing.assert_equal(table, before)


# plot_attention -----------------------------------------------------------------------------------------------

QUERIES, KEYS = ["one", "is", "one"], ["1", "la", "1", "la"]
MATRIX = np.array([[0.7, 0.1, 0.15, 0.05], [0.2, 0.6, 0.0, 0.2], [0.3, 0.25, 0.35, 0.1]])


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def labels(axis):
    """Position and text of each tick that is in the picture."""
    axis.axes.figure.canvas.draw()
    low, high = sorted(axis.get_view_interval())
    ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    assert all(tick.label1.get_visible() for tick in ticks)
    return [(tick.get_loc(), tick.label1.get_text()) for tick in ticks]


def seen(ax):
    """The number under each crossing of a labelled row and a labelled column, from the drawn mesh."""
    (mesh,) = ax.collections
    corners = mesh.get_coordinates()
    numbers = np.asarray(mesh.get_array()).reshape(corners.shape[0] - 1, corners.shape[1] - 1)
    rows = [cell_around(y, corners[:, 0, 1]) for y, _ in labels(ax.yaxis)]
    columns = [cell_around(x, corners[0, :, 0]) for x, _ in labels(ax.xaxis)]
    return numbers[np.ix_(rows, columns)]


def cell_around(position, edges):
    """The number of the cell whose centre this is."""
    centres = (edges[:-1] + edges[1:]) / 2
    (number,) = np.flatnonzero(np.isclose(centres, position, rtol=0, atol=1e-9))
    return number


@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, lambda matrix: matrix.astype(np.float32)])
def test_the_picture_shows_the_matrix_and_its_tokens(form):
    before = MATRIX.copy()
    ax = plot_attention(tuple(QUERIES), KEYS, form(MATRIX))
    assert isinstance(ax, plt.Axes)
    assert [text for _, text in labels(ax.yaxis)] == QUERIES
    assert [text for _, text in labels(ax.xaxis)] == KEYS
    np.testing.assert_allclose(seen(ax), MATRIX, rtol=1e-6)
    np.testing.assert_array_equal(MATRIX, before)
    assert ax.get_title()
    assert ax.get_ylabel() == "queries"
    assert ax.get_xlabel() == "keys"


def test_the_colour_bar_belongs_to_the_map():
    ax = plot_attention(QUERIES, KEYS, MATRIX)
    (mesh,) = ax.collections
    assert mesh.colorbar is not None
    assert mesh.colorbar.ax in ax.figure.axes
    assert len(ax.figure.axes) == 2


def test_a_larger_weight_is_darker_on_the_screen():
    """Read from the pixels: queries down, keys across, the first of each at the top left."""
    ax = plot_attention(QUERIES, KEYS, MATRIX)
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[..., :3].astype(float).mean(axis=-1)
    box = ax.get_window_extent()
    across = [int(box.x0 + (j + 0.5) / 4 * box.width) for j in range(4)]
    down = [int(len(pixels) - box.y1 + (i + 0.5) / 3 * box.height) for i in range(3)]
    brightness = pixels[np.ix_(down, across)].ravel()
    assert (np.diff(brightness[np.argsort(MATRIX, axis=None, kind="stable")]) <= 0.5).all()
    assert brightness[0] == brightness.min() < brightness.max() == brightness[6]


def test_it_draws_where_it_is_told():
    figure, (left, right) = plt.subplots(1, 2)
    other = plt.figure()
    assert plot_attention(QUERIES, KEYS, MATRIX, ax=left) is left
    assert plot_attention(KEYS, QUERIES, MATRIX.T, right) is right
    np.testing.assert_array_equal(seen(left), MATRIX)
    np.testing.assert_array_equal(seen(right), MATRIX.T)
    assert len(figure.axes) == 4
    assert not other.axes
    assert len(plt.get_fignums()) == 2


def test_without_axes_it_makes_new_ones():
    taken = plt.figure().add_subplot()
    ax = plot_attention(QUERIES, KEYS, MATRIX)
    assert ax.figure is not taken.figure
    assert not taken.collections
    assert plot_attention(QUERIES, KEYS, MATRIX, ax=None) is not ax


def test_it_leaves_showing_to_others(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *args, **options: pytest.fail("plt.show() was called"))
    plot_attention(QUERIES, KEYS, MATRIX)


@pytest.mark.parametrize(("n_queries", "n_keys"), [(1, 1), (1, 5), (5, 1), (40, 30)])
def test_every_token_has_its_label(n_queries, n_keys):
    queries, keys = [f"q{i}" for i in range(n_queries)], [f"k{i}" for i in range(n_keys)]
    matrix = np.random.default_rng(0).dirichlet(np.ones(n_keys), size=n_queries)
    ax = plot_attention(queries, keys, matrix)
    assert [text for _, text in labels(ax.yaxis)] == queries
    assert [text for _, text in labels(ax.xaxis)] == keys
    np.testing.assert_array_equal(seen(ax)[:3], matrix[:3])


def test_what_it_draws_is_what_embed_sentence_gives():
    table = {"one": [0.0, 1.0], "is": [1.0, 0.0]}
    vectors, words = embed_sentence("One, fizzy, is one.", table)
    ax = plot_attention(words, words, vectors[0] @ vectors[0].T / math.sqrt(2))
    assert [text for _, text in labels(ax.yaxis)] == ["One", "is", "one"]
    assert np.count_nonzero(seen(ax)[0]) == 2
