# expect: load_glove_embeddings raised
"""Strip takes white space from the words."""

import numpy as np


def load_glove_embeddings(glove_file):
    table, d = {}, None
    with open(glove_file, encoding="utf8") as f:
        for n, line in enumerate(f, 1):
            fields = line.strip().split(" ")
            d = d or len(fields) - 1
            if len(fields) < d + 1:
                raise ValueError(f"line {n}") from None
            try:
                table[" ".join(fields[:-d])] = np.array([float(z) for z in fields[-d:]], np.float32)
            except ValueError:
                raise ValueError(f"line {n}") from None
    return table
