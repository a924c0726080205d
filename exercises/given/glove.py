"""Functions that download Stanford's GloVe vectors and read them.

In a shell, in the folder `exercises`, `python -m given.glove 6B --cache DIR` prints the path of the vectors.
Exit codes: 0 done, 1 failed (one sentence on stderr says why), 2 wrong usage, 130 interrupted.
"""

import argparse
import itertools
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from given.errors import GivenError
from given.vectors import numbered_lines, numbered_vectors

URL = "https://nlp.stanford.edu/data/"

# Name of the set -> (archive, file in the archive, available widths).
SETS = {
    "6B": ("glove.6B.zip", "glove.6B.{}d.txt", (50, 100, 200, 300)),
    "42B": ("glove.42B.300d.zip", "glove.42B.{}d.txt", (300,)),
    "840B": ("glove.840B.300d.zip", "glove.840B.{}d.txt", (300,)),
    "27B": ("glove.twitter.27B.zip", "glove.twitter.27B.{}d.txt", (25, 50, 100, 200)),
}


def download_glove(
    name: str, cache: str | os.PathLike[str] | None = None, *, width: int | None = None, sha256: str | None = None
) -> Path:
    """Download a set of GloVe vectors, unless it exists, and return its path.

    Parameters
    ----------
    name : {"6B", "42B", "840B", "27B"}
        The set, named after the number of tokens in its training text.
    cache : str or os.PathLike, optional
        The folder for the set. By default, the folder that the environment variable ATTENTION_CACHE names, or else the
        user's cache folder.
    width : int, optional
        The number of numbers in a vector. By default, the fewest that the set offers.
    sha256 : str, optional
        The SHA-256 hash of the archive, in hexadecimal. Stanford publishes none. Without it, only the length and the
        CRC inside the archive are checked.

    Returns
    -------
    pathlib.Path
        The text file; `load_glove` reads it.

    Raises
    ------
    GivenError
        See `given.errors`. The next call resumes a broken download.
    """
    # Downloads need more packages than NumPy, but reading vectors does not.
    from given import archive, download  # noqa: PLC0415

    if name not in SETS:
        raise GivenError(f"There is no GloVe set {name!r}: choose one of {', '.join(SETS)}.")
    archive_name, text_name, widths = SETS[name]
    width = widths[0] if width is None else width
    if width not in widths:
        raise GivenError(f"GloVe {name} has no vectors of {width} numbers: choose from {', '.join(map(str, widths))}.")
    folder, member = download.cache_folder(cache), text_name.format(width)

    def check(path: Path) -> None:
        if sha256 is not None:
            archive.check_sha256(path, sha256)
        archive.check_archive(path, member)

    target = folder / member
    if not target.exists():
        download.fetch(URL + archive_name, folder / archive_name, check)
        archive.extract(folder / archive_name, member, target)
    return target


def load_glove(path: str | os.PathLike[str], words: Iterable[str] | None = None) -> dict[str, np.ndarray]:
    """Read a file of GloVe vectors line by line, so that only the returned vectors need memory.

    Parameters
    ----------
    path : str or os.PathLike
    words : iterable of str, optional
        Only these words are returned, as written and in lower case. The numbers of other words are not checked.

    Returns
    -------
    dict of str to ndarray, shape (d,)
        The vector of each word, as float32. Words may contain spaces, as some do in the 840B set.

    Raises
    ------
    FormatError
        A ValueError that names the file and the line.

    Examples
    --------
    >>> from given import SMALL_GLOVE
    >>> vectors = load_glove(SMALL_GLOVE, words=["Coke", "steak"])
    >>> sorted(vectors), vectors["coke"].shape
    (['coke', 'steak'], (50,))
    """
    lines = numbered_lines(path)
    first = next(lines, None)
    if first is None:
        return {}
    width = first[1].count(" ")
    vectors = numbered_vectors(path, itertools.chain([first], lines), width, words)
    return {word: vector for _, word, vector in vectors if vector is not None}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m given.glove", description="Download GloVe vectors.")
    parser.add_argument("name", choices=SETS, help="the set, called after the number of tokens it was learned from")
    parser.add_argument("--cache", metavar="DIR", help="where to keep it (default: $ATTENTION_CACHE, then your cache)")
    parser.add_argument("--width", type=int, help="how many numbers a vector has (default: the fewest there are)")
    parser.add_argument("--sha256", help="the checksum that the archive must have")
    arguments = parser.parse_args(argv)
    try:
        print(download_glove(arguments.name, arguments.cache, width=arguments.width, sha256=arguments.sha256))
    except GivenError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
