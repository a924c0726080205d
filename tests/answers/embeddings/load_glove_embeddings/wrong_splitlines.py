# expect: load_glove_embeddings wrong lines_split_by_splitlines
"""Splitlines splits at more than line ends."""

import numpy as np


def load_glove_embeddings(glove_file):
    table, d = {}, None
    with open(glove_file, encoding="utf8") as f:
        for n, line in enumerate(f.read().splitlines(), 1):
            fields = line.split(" ")
            d = d or len(fields) - 1
            if len(fields) < d + 1:
                raise ValueError(f"line {n}") from None
            try:
                table[" ".join(fields[:-d])] = np.array([float(z) for z in fields[-d:]], np.float32)
            except ValueError:
                raise ValueError(f"line {n}") from None
    return table
