"""Functions for GloVe's and word2vec's text formats: each line is a word and its numbers, separated by spaces."""

import itertools
import os
from collections.abc import Iterable, Iterator

import numpy as np

from given.errors import FormatError

MAX_LINE = 1 << 20  # bytes; a limit, because a file without line ends must not be read into memory as one line


def numbered_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of each line, counted from 1.

    Lines are decoded one by one, so that an error can name its line. They end only at a line feed, because words may
    contain other characters at which Python's text files or `splitlines` would end a line.
    """
    with open(path, "rb") as file:
        for number in itertools.count(1):
            line = file.readline(MAX_LINE)
            if not line:
                return
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                raise FormatError(f"{path}, line {number}: it is too long for a line of word vectors.")
            try:
                yield number, line.decode("utf-8").removesuffix("\n").removesuffix("\r")
            except UnicodeDecodeError:
                raise FormatError(f"{path}, line {number}: it is not in UTF-8.") from None


def numbered_vectors(
    path: str | os.PathLike[str], lines: Iterable[tuple[int, str]], width: int, words: Iterable[str] | None
) -> Iterator[tuple[int, str, np.ndarray | None]]:
    """Yield (number, word, vector) of each line. The vector is None if the word is not in `words`."""
    wanted = None if words is None else {form for word in words for form in (word, word.lower())}
    for number, line in lines:
        word, *values = line.rsplit(" ", width)  # Split from the right, because some words contain spaces.
        if len(values) != width or not width:
            raise FormatError(f"{path}, line {number}: it does not hold a word and {width or 'some'} numbers.")
        if wanted is not None and word not in wanted:
            yield number, word, None
            continue
        try:
            vector = np.array([float(value) for value in values])
        except ValueError as error:
            raise FormatError(f"{path}, line {number}: {error}.") from None
        if not np.all(np.abs(vector) <= np.finfo(np.float32).max):  # This is False for NaN, too.
            raise FormatError(f"{path}, line {number}: not all of its numbers are finite.")
        yield number, word, vector.astype(np.float32)
