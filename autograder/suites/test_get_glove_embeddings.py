"""Hidden suite of get_glove_embeddings: order of words, lower case as a fallback, unknown words and empty arguments."""

import numpy as np
import pytest

from autograder.suite import ARRAY_LIKE, ARRAYS_STAY, EXAMPLES

EXAMPLE = {"apple": [1, 2], "Apple": [3, 4], "the": [5, 6]}
WORDS = ("the", "apple", "Apple", "US", "us", "NATO", "zoë", "straße", "1", "new york")


def _table(draw, width):
    return {word: draw(width, exact=False) for word in WORDS}  # reveals half precision and rounding


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    vocab = ["The", "Apple", "apple", "Zoë"]
    answer(vocab, EXAMPLE, 2).equals(solution(vocab, EXAMPLE, 2))


@pytest.mark.points(1, checks=["Row i is the vector of word i", ARRAYS_STAY])
def test_sizes_and_order(answer, solution, draw, rng):
    for count, width in ((5, 3), (1, 7), (12, 1), (4, 4)):
        vocab, table = [WORDS[i] for i in rng.integers(len(WORDS), size=count)], _table(draw, width)
        answer(vocab, table, width).equals(solution(vocab, table, width))
    vocab, table = list(WORDS), _table(draw, 50)
    first = answer(vocab, table, 50).leaves_arguments_alone()
    answer(vocab[::-1], table, 50).equals(solution(vocab[::-1], table, 50))
    first.still_equals(solution(vocab, table, 50))


@pytest.mark.points(1, checks=["the exact word first, then the word in lower case"])
def test_the_exact_word_comes_first(answer, solution, draw):
    table = _table(draw, 3)
    for vocab in (["Apple", "apple", "US", "NATO"], ["us", "US", "Apple", "new york"]):
        answer(vocab, table, 3).equals(solution(vocab, table, 3))
    zeros = {"Apple": [0, 0, 0], "apple": [1, -2, 3], "": [4, 5, 6]}
    answer(["Apple", "APPLE"], zeros, 3).equals(solution(["Apple", "APPLE"], zeros, 3))


@pytest.mark.points(1, checks=["the exact word first, then the word in lower case"])
def test_then_lower_case(answer, solution, draw):
    table = _table(draw, 5)
    for vocab in (["The", "THE", "tHe", "the"], ["APPLE", "aPPle", "Us", "uS"], ["ZOË", "Straße", "New York"]):
        answer(vocab, table, 5).equals(solution(vocab, table, 5))


@pytest.mark.points(1, checks=["the word gets a **row of zeros**"])
def test_unknown_words(answer, solution, draw):
    table = _table(draw, 4) | {"Paris": draw(4), "strasse": draw(4), "UNK": draw(4), "<unk>": draw(4)}
    answer(["fizzy", "The", "us"], table, 4).leaves_arguments_alone()
    for vocab in (["fizzy", "the", "Coke", "us"], ["paris", "STRASSE", "nato", " the", "the.", "York"], ["fizzy"]):
        answer(vocab, table, 4).equals(solution(vocab, table, 4))


@pytest.mark.points(
    0.5, checks=["even for an empty vocabulary; the vectors of the table may be lists, tuples or arrays"]
)
def test_lists_and_empty_things(answer, solution, draw):
    for form in (list, tuple):
        table = {word: form(vector.tolist()) for word, vector in _table(draw, 3).items()}
        vocab = ["US", "The", "fizzy", "us"]
        answer(vocab, table, 3).equals(solution(vocab, table, 3))
    answer(["the", "Apple"], {}, 6).equals(solution(["the", "Apple"], {}, 6))
    answer([], EXAMPLE, 2).equals(solution([], EXAMPLE, 2))
    for vocab in (["The"], ["fizzy", "the"]):
        answer(vocab, {"the": np.array([1, -2], dtype=np.float32)}, 2).equals(solution(vocab, {"the": [1, -2]}, 2))


@pytest.mark.points(0.5, checks=[ARRAY_LIKE])
def test_whole_numbers(answer, solution):
    for form in (list, np.array):
        table = {word: form(vector) for word, vector in EXAMPLE.items()}
        answer(["The", "Apple"], table, 2).equals(solution(["The", "Apple"], table, 2))
