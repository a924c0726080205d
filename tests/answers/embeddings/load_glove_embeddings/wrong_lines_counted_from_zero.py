# expect: load_glove_embeddings raised lines_counted_from_zero
import numpy as np


def load_glove_embeddings(glove_file):
    table, d = {}, None
    with open(glove_file, encoding="utf-8", newline="\n") as f:
        for number, line in enumerate(f):
            fields = line.rstrip("\n").split(" ")
            d = d or len(fields) - 1
            try:
                if len(fields) < d + 1:
                    raise ValueError
                table[" ".join(fields[:-d])] = np.array(fields[-d:], dtype=np.float32)
            except ValueError:
                raise ValueError(f"line {number}") from None
    return table
