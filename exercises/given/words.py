"""800 English words with vectors that a real model has learned: part of the table of all-MiniLM-L6-v2 (Apache 2.0).

`make_words.py` chose the words, and kept 64 of the 384 numbers of each.
"""

from pathlib import Path

import numpy as np

_FILE = Path(__file__).with_name("words.npz")


def load_words() -> dict[str, np.ndarray]:
    """Return word, in lower case -> vector: a dict of str to ndarray of float32, shape (64,)."""
    with np.load(_FILE) as file:
        return dict(zip(file["words"].tolist(), file["vectors"].astype(np.float32), strict=True))
