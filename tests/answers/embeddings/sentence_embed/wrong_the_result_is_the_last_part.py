# expect: sentence_embed wrong
# told: The result is only the last row of the expected one

import numpy as np


def sentence_embed(sentence, embed_dict):
    vectors = []
    for w in sentence.split():
        vectors = embed_dict[w]
    return np.array(vectors)
