# expect: load_glove_embeddings wrong
# plain: returned a dictionary without the key 'the'

import numpy as np


def load_glove_embeddings(glove_file):
    embeddings = {}
    for line in glove_file:
        word, *values = line.split()
        embeddings[word] = np.array(values, dtype=np.float32)
    return embeddings
