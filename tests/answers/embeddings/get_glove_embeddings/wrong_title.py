# expect: get_glove_embeddings wrong also_found_capitalised
import numpy as np


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.zeros((len(vocab), embed_dim), dtype=np.float32)
    for i, word in enumerate(vocab):
        for form in (word, word.lower(), word.title()):
            if form in glove_embeddings:
                rows[i] = glove_embeddings[form]
                break
    return rows
