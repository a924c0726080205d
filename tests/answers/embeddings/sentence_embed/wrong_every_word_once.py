# expect: sentence_embed wrong sorted_without_duplicates
"""Every word once, in the order of letters."""

import numpy as np


def sentence_embed(sentence, embed_dict):
    words = sorted(set(sentence.split(" ")))
    return np.array([embed_dict[w] for w in words], dtype=float)
