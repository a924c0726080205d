# expect: embed_sentence wrong
# plain: for vectors, expected shape (1, 3, 2).
import numpy as np


def embed_sentence(sentence, embeddings):
    words = sentence.split()
    known = [word if word in embeddings else word.lower() for word in words]
    rows = [embeddings[word] for word in known if word in embeddings]
    width = len(next(iter(embeddings.values())))
    return np.array(rows, dtype=float).reshape(1, -1, width), words
