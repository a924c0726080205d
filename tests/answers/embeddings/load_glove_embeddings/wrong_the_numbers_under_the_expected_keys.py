# expect: load_glove_embeddings wrong
# plain: returned a dictionary without the key

import numpy as np


def load_glove_embeddings(glove_file):
    embeddings = {}
    with open(glove_file, encoding="utf-8") as f:
        for line in f:
            try:
                p = line.rstrip("\n").split(" ")
                embeddings[p[0]] = np.array(p[1:], dtype=np.float32)
            except ValueError:
                continue
    return embeddings
