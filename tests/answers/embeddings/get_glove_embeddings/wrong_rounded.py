# expect: get_glove_embeddings wrong
import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    table = np.zeros((len(vocab), embed_dim), dtype=np.float32)
    for row, word in enumerate(vocab):
        vector = glove_embeddings.get(word, glove_embeddings.get(word.lower()))
        if vector is not None:
            table[row] = np.round(vector, 4)
    return table.astype(np.float32)
