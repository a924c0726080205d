# expect: load_glove_embeddings raised
# told: The file contains UTF-

import numpy as np


def load_glove_embeddings(glove_file):
    embeddings = {}
    with open(glove_file) as f:
        for line in f:
            values = line.split()
            embeddings[values[0]] = np.asarray(values[1:], dtype="float32")
    return embeddings
