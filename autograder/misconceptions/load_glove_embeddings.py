"""Mistakes seen in answers to load_glove_embeddings."""

import numpy as np


def _line_error(number):
    return ValueError(f"line {number} is wrong")


def _read(glove_file, encoding="utf-8", errors="strict"):
    """The lines of the file with their numbers, and how many numbers the first of them holds."""
    with open(glove_file, encoding=encoding, errors=errors) as file:
        lines = [line.rstrip("\n") for line in file]
    return list(enumerate(lines, start=1)), lines[0].count(" ")


def _parse(number, line, width, dtype="float32"):
    word, *fields = line.rsplit(" ", width)
    try:
        vector = np.array(fields, dtype=dtype)
    except ValueError:
        raise _line_error(number) from None
    if len(fields) != width:
        raise _line_error(number)
    return word, vector


def _load(glove_file, parse=_parse, **reading):
    numbered, width = _read(glove_file, **reading)
    return dict(parse(number, line, width) for number, line in numbered)


def split_at_every_space(glove_file):
    """`line.split()` takes the first field for the word and the rest for numbers: some words contain spaces.

    What is certain in every line is its end. Which fields are the vector if you count from there?
    """
    embeddings = {}
    with open(glove_file, encoding="utf-8") as file:
        for line in file:
            values = line.split()
            embeddings[values[0]] = np.asarray(values[1:], dtype="float32")
    return embeddings


def first_field_is_the_word(glove_file):
    """The numbers are right, but only the first field became the word: all fields before the numbers belong to it."""

    def parse(number, line, width):
        word, vector = _parse(number, line, width)
        return word.split(" ")[0], vector

    return _load(glove_file, parse)


def words_lose_their_spaces(glove_file):
    """The pieces of a word are joined without their spaces: ". . ." is another token than "..."."""

    def parse(number, line, width):
        word, vector = _parse(number, line, width)
        return word.replace(" ", ""), vector

    return _load(glove_file, parse)


def split_at_any_white_space(glove_file):
    """`split()` without an argument splits at the no-break space too, and some words consist of it: name the space."""

    def parse(number, line, width):
        values = line.split()
        try:
            vector = np.array(values[-width:], dtype="float32")
        except ValueError:
            raise _line_error(number) from None
        if len(values) <= width:
            raise _line_error(number)
        return " ".join(values[:-width]), vector

    return _load(glove_file, parse)


def line_stripped(glove_file):
    """`strip()` takes unusual white space from the start of the line, which may be the word: take the line end only."""
    return _load(glove_file, lambda number, line, width: _parse(number, line.strip(), width))


def lines_split_by_splitlines(glove_file):
    """`splitlines()` also breaks lines at rare signs which some words contain: go through the open file."""
    with open(glove_file, encoding="utf-8") as file:
        lines = file.read().splitlines()
    width = lines[0].count(" ")
    return dict(_parse(number, line, width) for number, line in enumerate(lines, start=1))


def width_written_as_a_number(glove_file):
    """The number of fields is written into the code: the first line of each file tells it."""
    numbered, _ = _read(glove_file)
    return dict(_parse(number, line, 50) for number, line in numbered)


def first_line_skipped(glove_file):
    """The first line is missing: word2vec's files begin with a heading, GloVe's begin with a word."""
    numbered, width = _read(glove_file)
    return dict(_parse(number, line, width) for number, line in numbered[1:])


def words_in_lower_case(glove_file):
    """Words are put in lower case, so that "The" overwrites "the": keep each as the file spells it."""

    def parse(number, line, width):
        word, vector = _parse(number, line, width)
        return word.lower(), vector

    return _load(glove_file, parse)


def numbers_are_still_text(glove_file):
    """The vectors hold pieces of text, not numbers: convert them to float32."""

    def parse(number, line, width):
        word, _ = _parse(number, line, width)
        return word, line.rsplit(" ", width)[1:]

    return _load(glove_file, parse)


def half_precision(glove_file):
    """The numbers keep about three digits only: use float32, not float16."""
    return _load(glove_file, lambda number, line, width: _parse(number, line, width, "float16"))


def rounded(glove_file):
    """The numbers are rounded, and very small ones become 0: keep them as the file has them."""

    def parse(number, line, width):
        word, vector = _parse(number, line, width)
        return word, np.round(vector, 6)

    return _load(glove_file, parse)


def read_as_latin_1(glove_file):
    """The file is read in an encoding of single bytes, so that "é" falls into two odd letters: it is UTF-8."""
    return _load(glove_file, encoding="latin-1")


def unknown_letters_ignored(glove_file):
    """Letters beyond a to z are dropped while reading, so that "café" becomes "caf": read the file as UTF-8."""
    return _load(glove_file, encoding="ascii", errors="ignore")


def only_strings_are_paths(glove_file):
    """The path is used like a string: a `pathlib.Path` names a file as well, and `open` takes both."""
    if not glove_file.endswith(".txt"):
        raise ValueError("not a text file")
    return _load(glove_file)


def missing_numbers_unnoticed(glove_file):
    """A line with too few numbers goes through unnoticed: count them."""

    def parse(number, line, width):
        word, *fields = line.rsplit(" ", width)
        try:
            return word, np.array(fields, dtype="float32")
        except ValueError:
            raise _line_error(number) from None

    return _load(glove_file, parse)


def wrong_lines_skipped(glove_file):
    """Wrong lines are passed over in silence, and their words will be missing: raise a ValueError with the number."""
    numbered, width = _read(glove_file)
    embeddings = {}
    for number, line in numbered:
        try:
            word, embeddings[word] = _parse(number, line, width)
        except ValueError:
            continue
    return embeddings


def wrong_numbers_become_nan(glove_file):
    """A field that is no number becomes NaN in silence, and will spoil every score it meets: raise a ValueError."""

    def parse(number, line, width):
        try:
            return _parse(number, line, width)
        except ValueError:
            word, *fields = line.rsplit(" ", width)
            if len(fields) != width:
                raise
            return word, np.genfromtxt(fields, dtype="float32").reshape(width)

    return _load(glove_file, parse)


def error_without_the_line(glove_file):
    """The error does not say which line is wrong: in a file with two million of them, its number is what one needs."""
    numbered, width = _read(glove_file)
    embeddings = {}
    for _, line in numbered:
        word, *fields = line.rsplit(" ", width)
        if len(fields) != width:
            raise ValueError("wrong number of values")
        embeddings[word] = np.array(fields, dtype="float32")
    return embeddings


def lines_counted_from_zero(glove_file):
    """Lines are counted from 0 in the message: an editor, and `enumerate` with `start=1`, count from 1."""
    return _load(glove_file, lambda number, line, width: _parse(number - 1, line, width))
