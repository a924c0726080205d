# expect: sentence_embed wrong
# told: An array of whole numbers cuts off the fraction of whatever is written into it later.
import numpy as np


def sentence_embed(sentence, embed_dict):
    return np.array([embed_dict[word] for word in sentence.split()])
