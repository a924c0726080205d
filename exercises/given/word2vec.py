"""Reading of word vectors in word2vec's text format."""

import os
from collections.abc import Iterable

import numpy as np

from given.errors import FormatError
from given.vectors import numbered_lines, numbered_vectors


def load_word2vec(path: str | os.PathLike[str], words: Iterable[str] | None = None) -> dict[str, np.ndarray]:
    """Read a file of word vectors whose first line is the number of vectors and the number of numbers in each.

    Parameters
    ----------
    path : str or os.PathLike
    words : iterable of str, optional
        Only these words are returned, as written and in lower case. The numbers of other words are not checked.

    Returns
    -------
    dict of str to ndarray, shape (d,)
        The vector of each word, as float32.

    Raises
    ------
    FormatError
        A ValueError that names the file and the line.

    References
    ----------
    Mikolov, Chen, Corrado and Dean (2013), "Efficient Estimation of Word Representations in Vector Space".
    """
    lines = numbered_lines(path)
    _, header = next(lines, (1, ""))
    try:
        count, width = map(int, header.split())
    except ValueError:
        raise FormatError(f"{path}, line 1: it does not say how many vectors of how many numbers follow.") from None
    # The original program ends each line with a space.
    lines = ((number, line.removesuffix(" ")) for number, line in lines)
    vectors, found = {}, 0
    for number, word, vector in numbered_vectors(path, lines, width, words):
        found = number - 1
        if vector is not None:
            vectors[word] = vector
    if found != count:
        raise FormatError(f"{path}, line 1: it promises {count} vectors, but {found} follow.")
    return vectors
