# expect: get_glove_embeddings passed
import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    zeros = [0] * embed_dim
    rows = [glove_embeddings.get(word, glove_embeddings.get(word.lower(), zeros)) for word in vocab]
    return np.array(rows) if rows else np.zeros((0, embed_dim))
