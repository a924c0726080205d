# expect: embed_sentence wrong
# told: 'I' is missing from the returned words.
import re

import numpy as np


def tokenize(sentence):
    return re.sub("[^\\w\\s]", "", sentence).split()


def embed_sentence(sentence, embeddings):
    words, rows = [], []
    for word in tokenize(sentence):
        known = embeddings.get(word, embeddings.get(word.lower()))
        if known is not None and len(word) > 1:
            words.append(word)
            rows.append(known)
    return np.array(rows, dtype=float).reshape(1, len(words), len(next(iter(embeddings.values())))), words
