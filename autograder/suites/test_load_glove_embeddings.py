"""Hidden suite of load_glove_embeddings: words with spaces and of other scripts, paths, and malformed lines."""

import pytest

from autograder.suite import EXAMPLES, TextFile

# Words as in GloVe's own files: numbers, quotes, and what other readers treat as comments or missing values.
PLAIN = ("the", "The", ",", '"', "'s", "#", "1", "-0.5", "nan", "null", "</s>", "to_be", "e-mail", "%")


def _file(lines, as_path=False, end="\n"):
    return TextFile("glove.txt", "\n".join(lines) + end, as_path)


def _lines(words, vectors):
    return [f"{word} {' '.join(map(str, vector))}" for word, vector in zip(words, vectors, strict=True)]


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    file = _file(["the 0.5 -1.25", ". . . 0.25 2", "café 1e-1 0"])
    answer(file).equals(solution(file))


@pytest.mark.points(2, checks=["Each line is a word and d numbers, separated by single spaces"])
def test_words_and_widths(answer, solution, draw, rng):
    for count, width in ((14, 3), (5, 50), (3, 1), (1, 4)):
        words = [PLAIN[i] for i in rng.permutation(len(PLAIN))[:count]]
        file = _file(_lines(words, draw(count, width)), end="" if count == 3 else "\n")
        answer(file).equals(solution(file))
    first = answer(_file(["the 1 -2", "of 0.418 +3"]))
    small = _file(["the -2.53e-05 4.1E-07", "of 1e-7 -0.00000024", "and .00004 -0"])
    answer(small).equals(solution(small))
    first.still_equals(solution(_file(["the 1 -2", "of 0.418 +3"])))


@pytest.mark.points(2, checks=["*the last `d` fields are the vector*, and the rest is the word"])
def test_words_with_spaces(answer, solution, draw):
    for words, width in (
        (["the", "2 000", "10 30 7"], 2),  # words of digits, so that a line split in the wrong place raises no error
        (["the", ". . .", "at name@domain.com", "1 1/2", "of"], 3),
        (["in", ". . . .", "to to", "2 000", "a b c d e f"], 1),
        (["and", "New York City", ". ."], 50),
    ):
        file = _file(_lines(words, draw(len(words), width)))
        answer(file).equals(solution(file))


@pytest.mark.points(1, checks=["tokens that contain spaces or unusual white space"])
def test_words_with_unusual_white_space(answer, solution, draw):
    blank = "\N{NO-BREAK SPACE}"
    inside = ["the", f"New{blank}York", f"b{blank}", f"1 {blank} 2", "c\N{EM SPACE}d", "of"]
    alone = ["the", blank, f"{blank}{blank}", f"{blank}a", "\N{IDEOGRAPHIC SPACE}", "\t"]
    # Other characters that end lines, between numbers, where splitting a line raises no error.
    ends = ["the", "a 0.5\N{LINE SEPARATOR}b", "c -2\N{NEXT LINE}d", "e 1\x1cf"]
    for words, width in ((inside, 2), (alone, 5), (ends, 1), ([*alone, "\N{NEXT LINE}", "e\N{LINE SEPARATOR}f"], 3)):
        file = _file(_lines(words, draw(len(words), width)))
        answer(file).equals(solution(file))


@pytest.mark.points(1, checks=["the encoding, which is UTF-8 whatever your system's default is"])
def test_other_scripts(answer, solution, draw):
    words = ["Zoë", "café", "cafe", "Straße", "журнал", "注意力", "שלום", "😀", "«", "…"]
    file = _file(_lines(words, draw(len(words), 3)))
    answer(file).equals(solution(file))


@pytest.mark.points(1, checks=["a path given as a string or as a `pathlib.Path`"])
def test_a_path_object(answer, solution, draw):
    file = _file(_lines(PLAIN, draw(len(PLAIN), 4)), as_path=True)
    answer(file).equals(solution(file))


LINE_NUMBERS = [str(number) for number in range(100, 151)]


def _with_wrong_line(rng, width, line):
    """Return a file with one wrong line, and this line's number. The file itself contains no number of three digits."""
    lines = _lines([f"word{'x' * i}" for i in range(150)], rng.integers(-4, 5, size=(150, width)) / 2)
    number = int(rng.integers(103, 149))
    lines[number - 1] = line
    return _file(lines), str(number)


@pytest.mark.points(1, checks=["a line has fewer than d + 1 fields"])
def test_too_few_numbers(answer, rng):
    for width, line in ((3, "and 0.5 2.5"), (2, "7 0.5"), (1, "and")):
        file, number = _with_wrong_line(rng, width, line)
        answer(file).raises("ValueError", number, LINE_NUMBERS)


@pytest.mark.points(1, checks=["one of its last d fields is not a number"])
def test_a_field_that_is_no_number(answer, rng):
    for width, line in ((3, "and 0.5 x 2.5"), (2, ". . 0.5"), (2, "and 0.5 2,5")):
        file, number = _with_wrong_line(rng, width, line)
        answer(file).raises("ValueError", number, LINE_NUMBERS)
