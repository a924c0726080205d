# expect: embed_sentence wrong unknown_words_are_zeros
import re

import numpy as np


def embed_sentence(sentence, embeddings):
    words = re.sub(r"[^\w\s]", "", sentence).split()
    zeros = np.zeros(len(next(iter(embeddings.values()))))
    rows = [embeddings.get(word, embeddings.get(word.lower(), zeros)) for word in words]
    return np.array(rows, dtype=float).reshape(1, len(words), len(zeros)), words
