# expect: get_glove_embeddings wrong left_out_and_never_lower_cased
import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = [glove_embeddings[word] for word in vocab if word in glove_embeddings]
    return np.array(rows, dtype=np.float32).reshape(-1, embed_dim)
