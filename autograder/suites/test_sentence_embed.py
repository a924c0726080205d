"""Hidden suite of sentence_embed: lists, tuples and arrays, white space, and a word without an embedding."""

import numpy as np
import pytest

from autograder.suite import ARRAYS_STAY, EXAMPLES

PLAIN = ("one", "is", "two", "la", "1")
WORDS = (*PLAIN, "One", "IS", "don't", "one,", "Zoë", "-")


def _table(draw, width, form=list):
    """Return word -> random embedding: a list, a tuple, or an array of a dtype, as `form` says."""
    has_dtype = isinstance(form, type) and issubclass(form, np.number)
    return {word: draw(width).astype(form) if has_dtype else form(draw(width).tolist()) for word in WORDS}


def _whole(numbers):
    return tuple(map(int, numbers))


def _sentence(rng, length):
    """Return a sentence of `length` words without capitals and punctuation, which another test checks."""
    return " ".join(PLAIN[i] for i in rng.integers(len(PLAIN), size=length))


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution, draw):
    table = _table(draw, 3)
    for sentence in ("one is one", "two is one is two"):
        answer(sentence, table).equals(solution(sentence, table))


@pytest.mark.points(0.5, checks=["lists, tuples or arrays of any width", ARRAYS_STAY])
def test_other_sizes(answer, solution, draw, rng):
    for length, width, form in (
        (1, 4, list),
        (5, 5, tuple),
        (12, 1, list),
        (1, 1, list),
        (3, 2, np.float32),
    ):
        sentence, table = _sentence(rng, length), _table(draw, width, form)
        answer(sentence, table).equals(solution(sentence, table))
    table, sentence = {word: draw(6) for word in WORDS}, _sentence(rng, 9)
    first = answer(sentence, table).leaves_arguments_alone()
    other = _sentence(rng, 9)
    answer(other, table).equals(solution(other, table))
    first.still_equals(solution(sentence, table))


@pytest.mark.points(1, checks=["words are separated by white space and nothing else"])
def test_what_a_word_is(answer, solution, draw):
    table = _table(draw, 4)
    for sentence in (
        "One is one, don't - la",
        "  one\tis \n two  ",
        "1\N{NO-BREAK SPACE}la\N{IDEOGRAPHIC SPACE}1",
        "Zoë IS",
    ):
        answer(sentence, table).equals(solution(sentence, table))
    for sentence, word in (("Two is two", "Two"), ("is la, is", "la,")):
        answer(sentence, table).raises("KeyError", mentions=word)


@pytest.mark.points(1, checks=["If a word has no embedding. The message names the word."])
def test_a_word_without_an_embedding(answer, draw, rng):
    table = _table(draw, 2)
    for sentence, word in (
        ("one is eleven", "eleven"),
        ("ten is two", "ten"),
        ("émile", "émile"),
    ):
        answer(sentence, table).raises("KeyError", mentions=word)
    # A message that contains more than four of these words repeats the sentence.
    words = rng.permutation(["lomu", "kire", "vasto", "pelin", "dorra", "ulmek"]).tolist()
    table = dict(zip(words[1:], draw(5, 2), strict=True))
    answer(" ".join(sorted(words)), table).raises("KeyError", words[0], words)


@pytest.mark.points(0.5, checks=["of whole numbers too"])
def test_whole_numbers(answer, solution, draw, rng):
    for length, form in ((2, _whole), (3, np.int64)):
        sentence, table = _sentence(rng, length), _table(draw, 7, form)
        answer(sentence, table).equals(solution(sentence, table))
