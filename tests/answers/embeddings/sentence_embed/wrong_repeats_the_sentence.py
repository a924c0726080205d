# expect: sentence_embed raised error_without_the_word
import numpy as np


def sentence_embed(sentence, embed_dict):
    if any(word not in embed_dict for word in sentence.split()):
        raise KeyError(sentence)
    return np.array([embed_dict[word] for word in sentence.split()], dtype=float)
