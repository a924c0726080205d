# expect: sentence_embed wrong
# plain: returned shape (3,), expected shape (3, 3).

import numpy as np


def sentence_embed(sentence, embed_dict):
    vectors = []
    for w in sentence.split():
        vectors = embed_dict[w]
    return np.array(vectors)
