"""The shipped word vectors come from the sentence encoder, and the statements about them in `embeddings` are true."""

import re

import numpy as np
import pytest

from given import errors
from given.words import load_words
from making import figure_data
from support.grading import load_solution
from support.late import LazyModule
from support.missing import require

torch, make_words = LazyModule("torch"), LazyModule("given.make_words")

TABLE = load_words()
BANKS = [
    "She sat on the bank of the river and watched the water",
    "She took her money to the bank and opened an account",
    "The loan from the bank was paid back with interest",
]


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def find_nearest(vector, but=()):
    compute_cosines = unit(np.array(list(TABLE.values()))) @ vector
    return next(word for i in compute_cosines.argsort()[::-1] if (word := list(TABLE)[i]) not in but)


def test_the_lengths_in_the_text_are_correct():
    assert len(TABLE) == 800 and {vector.shape for vector in TABLE.values()} == {(64,)}
    lengths = {word: float(np.linalg.norm(vector)) for word, vector in TABLE.items()}
    assert round(min(lengths.values()), 2) == 0.52 and round(max(lengths.values()), 2) == 1.19
    assert max(lengths[word] for word in ("you", "to", "not")) < 0.63 < 1.1 < min(lengths["cat"], lengths["russian"])
    assert round(float(TABLE["eat"] @ TABLE["eats"]), 2) == 0.89 > round(float(TABLE["eats"] @ TABLE["eats"]), 2) == 0.8


def test_the_cosines_in_the_text_are_correct():
    results = [unit(TABLE[word]) @ unit(TABLE[other]) for word in ("coke", "steak") for other in ("drink", "eat")]
    assert [round(float(cosine), 2) for cosine in results] == [0.43, 0.18, 0.17, 0.43]


@pytest.mark.parametrize(
    ("puzzle", "answer"),
    [
        ("king man woman", "queen"),
        ("paris france germany", "berlin"),
        ("hospital doctor teacher", "school"),
        ("stronger strong tall", "taller"),
    ],
)
def test_the_puzzles_in_the_text_have_the_stated_answers(puzzle, answer):
    first, minus, plus = puzzle.split()
    assert find_nearest(TABLE[first] - TABLE[minus] + TABLE[plus], but=puzzle.split()) == answer


def test_the_puzzle_with_walked_and_swim_fails():
    assert find_nearest(TABLE["walked"] - TABLE["walk"] + TABLE["swim"], but=("walked", "walk", "swim")) != "swam"


def attend(sentence, factor):
    words = [word for word in re.sub(r"[^\w\s]", "", sentence.lower()).split() if word in TABLE]
    rows = torch.tensor(np.array([factor * TABLE[word] for word in words]))
    weights = torch.softmax(rows @ rows.T / 8, dim=-1)
    return words, weights.numpy(), (weights @ rows).numpy()


@pytest.mark.slow
def test_coke_looks_at_drink_and_steak_at_eat():
    words, weights, _ = attend("I drink coke, but eat steak", 4)
    for word, other in ("coke", "drink"), ("steak", "eat"):
        order = weights[words.index(word)].argsort()[::-1]
        assert [words[i] for i in order[:2]] == [word, other]


def test_banks_with_money_are_closer_after_attention():
    results = [(words.index("bank"), rows) for words, _, rows in (attend(sentence, 3) for sentence in BANKS)]
    river, money, loan = unit(np.array([rows[i] for i, rows in results]))
    assert [round(float(cosine), 2) for cosine in (money @ loan, river @ money, river @ loan)] == [0.91, 0.83, 0.82]


@pytest.fixture(scope="module")
def encoder():
    try:
        return figure_data.load_encoder(load_solution("pretrained"))
    except errors.MissingError:
        require("weights", False)


def test_the_word_file_equals_the_output_of_its_script(encoder):
    words, vectors = make_words.word_vectors()
    assert words == list(TABLE)
    np.testing.assert_allclose(vectors, list(TABLE.values()), rtol=0, atol=2e-3)


def test_the_model_moves_the_banks_as_the_text_says(encoder):
    entering = []
    encoder.blocks[0].register_forward_pre_hook(lambda _, inputs: entering.append(inputs[0]))
    with torch.no_grad():
        tokens, ids, is_word = encoder.tokenize(BANKS)
        leaving, _ = encoder(ids, is_word)

    def compute_cosines(rows):
        river, money, loan = unit(np.array([row[words.index("bank")] for row, words in zip(rows, tokens, strict=True)]))
        return [round(float(river @ money), 2), round(float(money @ loan), 2)]

    assert compute_cosines(entering[0].numpy())[0] == 0.97
    assert compute_cosines(leaving.numpy()) == [0.76, 0.87]
    lengths = entering[0].norm(dim=-1)[is_word]
    assert 6.5 < lengths.min() < 7.5 and 11.5 < lengths.max() < 12.5
