# expect: get_glove_embeddings wrong truncated_to_integers
import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.zeros((len(vocab), embed_dim), dtype=int)
    for i, word in enumerate(vocab):
        vector = glove_embeddings.get(word)
        vector = glove_embeddings.get(word.lower()) if vector is None else vector
        rows[i] = 0 if vector is None else vector
    return rows
