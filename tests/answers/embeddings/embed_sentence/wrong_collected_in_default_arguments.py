# expect: embed_sentence raised
# told: This call is correct when it runs first, but earlier calls change its result.

import re

import numpy as np


def tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence).split()


def embed_sentence(sentence, embeddings, words=[], vectors=[]):  # noqa: B006
    for word in tokenize(sentence):
        if word in embeddings:
            words.append(word)
            vectors.append(embeddings[word])
        elif word.lower() in embeddings:
            words.append(word)
            vectors.append(embeddings[word.lower()])
    d = len(next(iter(embeddings.values())))
    return np.array(vectors, dtype=float).reshape(1, len(words), d), words
