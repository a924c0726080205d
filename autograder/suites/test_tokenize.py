"""Hidden suite of tokenize."""

import pytest

LETTERS = list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
MARKS = ".,;:!?'\"()[]{}<>-/\\|@#$%^&*+=~`«»„“”‘’¿¡…–—·€£§©→≠😀、。！？「」\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}"
SPACES = " ", "  ", "\t", "\n", "\r\n", "\v", "\x85", "\N{NO-BREAK SPACE}", "\N{IDEOGRAPHIC SPACE}", "\N{EM SPACE}\n "
SCRIPTS = ("Zoë", "façade", "Straße", "журнал", "λόγος", "注意力", "ध", "שלום", "٣٤", "10", "4U", "snake_case", "_")
# What Unicode's normal forms make something else of, and marks that are no word characters.
FORMS = ("x²", "½", "ﬁn", "Ａ", "Zoe\N{COMBINING DIAERESIS}", "हिन्दी")


def _words(rng, count):
    return ["".join(rng.choice(LETTERS, size=rng.integers(1, 8))) for _ in range(count)]


@pytest.mark.points(0.5)
def test_example(answer, solution):
    for sentence in ("I drink coke, but eat steak.", "«Don't  stop!», said Zoë - at 10:30."):
        answer(sentence).equals(solution(sentence))


@pytest.mark.points(1)
def test_punctuation(answer, solution, rng):
    words = _words(rng, len(MARKS) + 1)
    inside = [word + mark + words[-1] for word, mark in zip(words, MARKS, strict=False)]
    around = [mark + word + mark for word, mark in zip(words, MARKS[::-1], strict=False)]
    for sentence in (" ".join(inside), " ".join(around), "?! ".join(words[:5]) + "...", "-".join(words[:4])):
        answer(sentence).equals(solution(sentence))


@pytest.mark.points(1)
def test_white_space(answer, solution, rng):
    words = _words(rng, len(SPACES) + 1)
    sentence = "".join(word + space for word, space in zip(words, SPACES, strict=False)) + words[-1]
    alone = f"{words[0]} - {words[1]} … {words[2]} !"
    for text in ("one\ttwo\nthree", sentence, f"\n {sentence}\t ", alone, words[0], "", " \n", "?! -"):
        answer(text).equals(solution(text))


@pytest.mark.points(1)
def test_word_characters(answer, solution, rng):
    words = [*SCRIPTS, *SCRIPTS[:3], *FORMS, *_words(rng, 4)]
    sentence = " ".join(words[i] for i in rng.permutation(len(words)))
    answer(sentence).equals(solution(sentence))
    answer(sentence.upper() + ".").equals(solution(sentence.upper() + "."))


@pytest.mark.points(0.5)
def test_words_alone(answer, solution, rng):
    for count in (2, 5):
        sentence = " ".join(_words(rng, count)).lower()
        answer(sentence).equals(solution(sentence))
