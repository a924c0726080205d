# expect: load_glove_embeddings raised error_without_the_line
import numpy as np


def load_glove_embeddings(glove_file):
    table, d = {}, None
    with open(glove_file, encoding="utf-8", newline="\n") as f:
        for line in f:
            fields = line.rstrip("\n").split(" ")
            d = d or len(fields) - 1
            try:
                if len(fields) < d + 1:
                    raise ValueError
                table[" ".join(fields[:-d])] = np.array(fields[-d:], dtype=np.float32)
            except ValueError:
                raise ValueError(" ".join(map(str, range(100, 150)))) from None
    return table
