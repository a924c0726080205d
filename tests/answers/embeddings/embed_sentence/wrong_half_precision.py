# expect: embed_sentence wrong
import re

import numpy as np


def embed_sentence(sentence, embeddings):
    pairs = [
        (word, embeddings.get(word, embeddings.get(word.lower()))) for word in re.sub(r"[^\w\s]", "", sentence).split()
    ]
    known = [(word, vector) for word, vector in pairs if vector is not None]
    width = len(next(iter(embeddings.values())))
    vectors = np.array([vector for _, vector in known], dtype=np.float16).reshape(1, -1, width)
    return vectors.astype(np.float32), [word for word, _ in known]
