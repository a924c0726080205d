# expect: sentence_embed passed
import numpy as np


def sentence_embed(sentence, embed_dict):
    return np.array([embed_dict[word] for word in sentence.split()])
