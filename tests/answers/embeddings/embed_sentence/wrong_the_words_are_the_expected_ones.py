# expect: embed_sentence wrong
# plain: returned ['i', 'eat', 'steak'] for words, expected ['I', 'eat', 'steak'].
import re

import numpy as np


def tokenize(sentence):
    return re.sub("[^\\w\\s]", "", sentence).split()


def embed_sentence(sentence, embeddings):
    words = [w.lower() for w in tokenize(sentence)]
    words = [w for w in words if w in embeddings]
    return np.array([[embeddings[w] for w in words]]), words
