# expect: sentence_embed raised
# told: You assign an array of shape (

import numpy as np


def sentence_embed(sentence, embed_dict):
    words = sentence.split()
    E = np.zeros((len(words), 3))
    for i, w in enumerate(words):
        E[i] = embed_dict[w]
    return E
