# expect: load_glove_embeddings wrong
# told: None of the expected keys is there: it holds '/'

import numpy as np


def load_glove_embeddings(glove_file):
    embeddings = {}
    for line in glove_file:
        word, *values = line.split()
        embeddings[word] = np.array(values, dtype=np.float32)
    return embeddings
