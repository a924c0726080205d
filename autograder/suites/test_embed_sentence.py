"""Hidden suite of embed_sentence: repeated, unknown and capitalised words, punctuation, no known word."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES, named

EXAMPLE = {"i": [1, 2], "eat": [3, 4], "steak": [5, 6]}
WORDS = ("i", "drink", "coke", "but", "eat", "steak", "Apple", "apple", "NATO", "dont", "1", "zoë")
UNKNOWN = ("fizzy", "Fizzy", "gladly", "apples", "Steaks", "nato", "xyz")


def _table(draw, width):
    return {word: draw(width, exact=False) for word in WORDS}  # reveals half precision and rounding


def _pick(rng, words, count):
    """Return `count` different ones of `words`, because another test checks repeated words."""
    return [words[i] for i in rng.permutation(len(words))[:count]]


def _compare(answer, solution, sentence, table):
    return answer(sentence, table).equals(named("vectors words", solution(sentence, table)))


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    _compare(answer, solution, "I eat, gladly, steak!", EXAMPLE)


@pytest.mark.points(1, checks=["`words[i]` belongs to `vectors[0, i]`", ARRAYS_STAY])
def test_known_words(answer, solution, draw, rng):
    for length, width in ((5, 3), (1, 4), (7, 1), (4, 4), (1, 1), (12, 50)):
        _compare(answer, solution, " ".join(_pick(rng, WORDS, length)), _table(draw, width))
    table, sentence = _table(draw, 6), "drink coke but steak"
    first = answer(sentence, table).leaves_arguments_alone()
    _compare(answer, solution, "eat steak i apple", table)
    first.still_equals(named("vectors words", solution(sentence, table)))
    for form in (list, tuple):
        _compare(answer, solution, "I eat steak", {word: form(vector.tolist()) for word, vector in table.items()})


@pytest.mark.points(1, checks=["One row for each known word"])
def test_words_that_come_again(answer, solution, draw):
    table = _table(draw, 3)
    for sentence in ("eat steak eat", "drink coke but drink drink apple Apple", "Eat eat 1 EAT 1"):
        _compare(answer, solution, sentence, table)


@pytest.mark.points(2, checks=["unknown words are left out of both results"])
def test_unknown_words(answer, solution, draw, rng):
    table = _table(draw, 3)
    _compare(answer, solution, "I drink fizzy coke but eat steak", table)
    for known, unknown in ((3, 2), (1, 4), (6, 1)):
        words = [*_pick(rng, WORDS, known), *_pick(rng, UNKNOWN, unknown)]
        sentence = " ".join(words[i] for i in rng.permutation(len(words)))
        _compare(answer, solution, f"hm {sentence}", table)


@pytest.mark.points(1, checks=["each word is looked up as it is, then in lower case"])
def test_exact_word_then_lower_case(answer, solution, draw):
    # A word is not looked up capitalised or in capitals, although the table contains such forms.
    table = _table(draw, 4) | {"Paris": draw(4), "EU": draw(4)}
    _compare(answer, solution, "paris PARIS Paris eu Eu EU Eat", table).leaves_arguments_alone()
    table |= {"but": np.zeros(4), "_": draw(4), "new_york": draw(4), "straße": draw(4), "strasse": draw(4)}
    spellings = "Apple apple NATO", "But I DRINK Coke", "Eat an APPLE Zoë", "nato Nato", "New_York _ Straße STRASSE"
    for sentence in spellings:
        _compare(answer, solution, sentence, table)
    _compare(answer, solution, "Eat!", {"eat": np.array([1, -2], dtype=np.float32)})


@pytest.mark.points(1, checks=["the sentence is split into words as in `tokenize`"])
def test_punctuation(answer, solution, draw):
    table = _table(draw, 5) | {"coke,": draw(5), "t": draw(5)}
    for sentence in ("I drink coke, but eat steak.", "«Don't\teat  apple» - drink (1) steak…\n", "eat/drink"):
        _compare(answer, solution, sentence, table)


@pytest.mark.points(1, checks=["If no word is known, the array has the shape `(1, 0, d)`."])
def test_no_word_is_known(answer, solution, draw):
    for sentence, width in (("Fizzy!", 3), ("gladly xyz fizzy", 7), ("", 2), ("?! ...", 1)):
        _compare(answer, solution, sentence, _table(draw, width))
    _compare(answer, solution, "Hm?", EXAMPLE)
    _compare(answer, solution, "steak", {"eat": np.array([1, -2], dtype=np.float32)})


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_whole_numbers(answer, solution):
    for sentence, form in (("I eat", list), ("steak", np.array)):
        _compare(answer, solution, sentence, {word: form(vector) for word, vector in EXAMPLE.items()})
