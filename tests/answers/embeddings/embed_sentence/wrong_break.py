# expect: embed_sentence wrong stops_at_the_first_unknown_word
import re

import numpy as np


def tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence).split()


def embed_sentence(sentence, embeddings):
    rows, words = [], []
    for word in tokenize(sentence):
        key = word if word in embeddings else word.lower()
        if key not in embeddings:
            break
        rows.append(embeddings[key])
        words.append(word)
    width = len(next(iter(embeddings.values())))
    return np.array(rows, dtype=float).reshape(1, -1, width), words
