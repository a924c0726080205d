# expect: sentence_embed wrong
# told: In this call, the result has the expected numbers, and an axis of length 1 too few.

import numpy as np


def sentence_embed(sentence, embed_dict):
    vectors = []
    for w in sentence.split():
        vectors = embed_dict[w]
    return np.array(vectors)
