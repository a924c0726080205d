"""Hidden suite of tokenize: punctuation of all kinds, white space, and words of other scripts."""

import pytest

from autograder.suite import EXAMPLES

LETTERS = list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
MARKS = ".,;:!?'\"()[]{}<>-/\\|@#$%^&*+=~`"
OTHER_MARKS = "«»„“”‘’¿¡…–—·€£§©→≠😀、。！？「」\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}"
SPACES = " ", "  ", "\t", "\n", "\r\n", "\v", "\x85", "\N{NO-BREAK SPACE}", "\N{IDEOGRAPHIC SPACE}", "\N{EM SPACE}\n "
SCRIPTS = ("Zoë", "façade", "Straße", "журнал", "λόγος", "注意力", "ध", "שלום", "٣٤", "10", "4U", "snake_case", "_")
# Characters that Unicode's normal forms change, and combining marks that are not word characters.
FORMS = ("x²", "½", "ﬁn", "Ａ", "Zoe\N{COMBINING DIAERESIS}", "हिन्दी")


def _words(rng, count):
    return ["".join(rng.choice(LETTERS, size=rng.integers(1, 8))) for _ in range(count)]


@pytest.mark.points(0.5, checks=[EXAMPLES])
def test_example(answer, solution):
    for sentence in ("I drink coke, but eat steak.", "«Don't  stop!», said Zoë - at 10:30."):
        answer(sentence).equals(solution(sentence))


def _with_marks(rng, marks):
    """Yield two sentences with all of these characters: one inside words, and one around words."""
    words = _words(rng, len(marks) + 1)
    yield " ".join(word + mark + words[-1] for word, mark in zip(words, marks, strict=False))
    yield " ".join(mark + word + mark for word, mark in zip(words, marks[::-1], strict=False))


@pytest.mark.points(0.5, checks=["Delete it without a replacement"])
def test_punctuation(answer, solution, rng):
    words = _words(rng, 5)
    for sentence in (*_with_marks(rng, MARKS), "?! ".join(words) + "...", "-".join(words)):
        answer(sentence).equals(solution(sentence))


@pytest.mark.points(1, checks=["every character that is neither a **word character**"])
def test_any_punctuation(answer, solution, rng):
    for sentence in (*_with_marks(rng, OTHER_MARKS), f"10 … {' '.join(FORMS)} – !"):
        answer(sentence).equals(solution(sentence))
        answer(sentence.upper()).equals(solution(sentence.upper()))


@pytest.mark.points(
    0.75, checks=["any white space (several spaces, tabs, line ends); also an empty sentence, which has no words"]
)
def test_white_space(answer, solution, rng):
    words = _words(rng, len(SPACES) + 1)
    sentence = "".join(word + space for word, space in zip(words, SPACES, strict=False)) + words[-1]
    alone = f"{words[0]} - {words[1]} * {words[2]} !"
    for text in ("one\ttwo\nthree", sentence, f"\n {sentence}\t ", alone, words[0], "", " \n", "?! -"):
        answer(text).equals(solution(text))


@pytest.mark.points(0.75, checks=["a letter or a digit of any script, or the underscore"])
def test_word_characters(answer, solution, rng):
    words = [*SCRIPTS, *SCRIPTS[:3], *_words(rng, 4)]
    sentence = " ".join(words[i] for i in rng.permutation(len(words)))
    answer(sentence).equals(solution(sentence))
    answer(sentence.upper() + ".").equals(solution(sentence.upper() + "."))


@pytest.mark.points(0.5, checks=["The words in order, spelt as in the sentence. None of them is an empty string."])
def test_words_alone(answer, solution, rng):
    for count in (2, 5):
        sentence = " ".join(_words(rng, count)).lower()
        answer(sentence).equals(solution(sentence))
