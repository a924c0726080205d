# expect: sentence_embed raised
import numpy as np


def sentence_embed(sentence, embed_dict):
    return np.array([embed_dict.get(w, [0, 0, 0]) for w in sentence.split()])
