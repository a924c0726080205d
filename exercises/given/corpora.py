"""Two toy languages of nine sentences each, and a one-hot vector for each of their words.

Sentence i of `CORPUS_B` translates sentence i of `CORPUS_A`: "one is one" becomes "1 la 1".
"""

from collections.abc import Sequence

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

CORPUS_A = [f"{number} is {number}" for number in NUMBERS]
CORPUS_B = [f"{digit} la {digit}" for digit in range(1, 10)]


def one_hot(words: Sequence[str]) -> dict[str, list[float]]:
    """Return a dictionary from each word to its one-hot vector: row i of the identity matrix for word i."""
    return {word: [float(i == j) for j in range(len(words))] for i, word in enumerate(words)}


# The second language counts down, so that a word and its translation have different vectors.
EMBED_A = one_hot(["is", *NUMBERS])
EMBED_B = one_hot([*map(str, range(9, 0, -1)), "la"])
