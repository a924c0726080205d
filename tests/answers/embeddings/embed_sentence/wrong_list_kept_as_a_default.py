# expect: embed_sentence wrong
# told: This call is correct when it runs first, but earlier calls change its result.
import re

import numpy as np


def embed_sentence(sentence, embeddings, known=[]):  # noqa: B006
    rows = []
    for word in re.sub(r"[^\w\s]", "", sentence).split():
        for form in (word, word.lower()):
            if form in embeddings:
                rows.append(embeddings[form])
                known.append(word)
                break
    width = len(next(iter(embeddings.values())))
    return np.array(rows, dtype=float).reshape(1, len(rows), width), known
